/** Paths below the stage, an in-memory file system that only the preview sees. */
export const OUT_DIR = "out";
export const mergedDir = (root: number) => `${root}/merged`;
export const upperDir = (root: number) => `${root}/upper`;
export const workDir = (root: number) => `${root}/work`;

/** Reserved for the shell's reports of its state, which a program that fills the rest must not crowd out. */
export const NOTES_BYTES = 16_000_000;

/** File descriptors of the script: for its progress reports, and for what bubblewrap reads. */
export const CONTROL = 3;
const ARGUMENTS = 7;
const FILTER = 10;
const STAGE = 9;

/** Created first by the program's script: if it is missing, bubblewrap has failed. */
export const BEGUN_FILE = "begun";
/** A script that the program reads from stdin, if stdin is not the command's own. */
export const SCRIPT_FILE = "script";
/** The descriptors on which such a program finds the command's stdin and stderr. */
export const INPUT_FD = 8;
export const ERRORS_FD = 9;

/** Descriptors passed to bubblewrap. Its other arguments are in the file that it reads, hidden from other users. */
export const BWRAP_DESCRIPTORS = { arguments: ARGUMENTS, filter: FILTER };

/**
 * Mounts copy-on-write layers over folders and runs a program on them. It has its own mount namespace, so its mounts
 * are invisible outside, and the kernel removes them with its last process, however that ends.
 *
 * 1. Mounts an in-memory file system of limited size for everything that is written. Reports "staged" and waits until
 *    the caller has created the folders of the layers: here, each of them would cost a process.
 * 2. Mounts a layer over each folder. Paths are given as "." and through descriptors, because a mount option cannot
 *    hold every name.
 * 3. Runs the program in bubblewrap, which ends with this script or at its time limit. Its output goes to a pipe that
 *    it cannot read from, so a program that looks for a person on stderr finds none, and does not wait for an answer.
 * 4. Stays until its stdin ends, so that the caller can read what was written; stdin also ends with the gateway.
 *
 * Arguments: stage, size, layer options, seconds, file with bubblewrap's arguments, filter, input, bubblewrap, bash,
 * the program's script, a folder for it, and the folders to mount layers over.
 */
export const LAYER_SCRIPT = `set -eu
stage=$1 size=$2 options=$3 seconds=$4 arguments=$5 filter=$6 input=$7 bwrap=$8 bash=$9
shift 9
program=$1 own=$2
shift 2
mount -t tmpfs -o "size=$size,mode=0755,nosuid,nodev" belay-preview "$stage"
echo staged >&${CONTROL}
read -r _
mount -t tmpfs -o "size=${NOTES_BYTES},mode=0777,nosuid,nodev" belay-preview-notes "$stage/${OUT_DIR}"
exec ${STAGE}<"$stage"
at=0
for folder; do
  cd -- "$folder"
  mount -t overlay -o "lowerdir=.,upperdir=/proc/self/fd/${STAGE}/$at/upper,workdir=/proc/self/fd/${STAGE}/$at/work$options" overlay "/proc/self/fd/${STAGE}/$at/merged"
  at=$((at + 1))
done
cd /
exec ${STAGE}<&-
echo ready >&${CONTROL}
ulimit -c 0
ulimit -d 4194304 2>/dev/null || :
set +e
timeout --foreground -s KILL "$seconds" "$bwrap" --args ${ARGUMENTS} -- "$bash" --noprofile --norc -pc "$program" belay "$own" ${CONTROL}>&- ${ARGUMENTS}<"$arguments" ${FILTER}<"$filter" <"$input" 2>&1 | cat ${CONTROL}>&-
echo "ended \${PIPESTATUS[0]}" >&${CONTROL}
exec ${CONTROL}>&- >/dev/null 2>&1
read -r _
`;

/**
 * Runs the program whose NUL-terminated arguments are in a file, with its script if it has one. Then saves the kernel's
 * network counters: the program has its own network namespace, so they count only its own attempts.
 */
export const PROGRAM_SCRIPT = `: >"$1/out/${BEGUN_FILE}"
mapfile -d '' -t program <"$1/in/program"
script=$1/in/${SCRIPT_FILE}
if [ -e "$script" ]; then "\${program[@]}" ${INPUT_FD}<&0 ${ERRORS_FD}>&2 <"$script" 2>/dev/null
else "\${program[@]}"; fi
status=$?
while read -r line; do echo "$line"; done 2>/dev/null </proc/net/snmp >"$1/out/network"
exit $status`;
