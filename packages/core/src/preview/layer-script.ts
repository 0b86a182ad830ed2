/** Where things lie below the stage, which is a file system in memory that only the preview sees. */
export const OUT_DIR = "out";
export const mergedDir = (root: number) => `${root}/merged`;
export const upperDir = (root: number) => `${root}/upper`;
export const workDir = (root: number) => `${root}/work`;

/** For what the shell says of itself, which a program that fills the rest must not crowd out. */
const NOTES_BYTES = 16_000_000;

/** Descriptors of the script: where it says what it has done, and what bubblewrap reads. */
export const CONTROL = 3;
const ARGUMENTS = 7;
const FILTER = 10;
const STAGE = 9;

/** Noted by the program's script first of all: without it, bubblewrap has failed. */
export const BEGUN_FILE = "begun";
/** What a program reads from its input, where that is not the command's own. */
export const SCRIPT_FILE = "script";
/** Where such a program finds the command's input, and the place for its errors. */
export const INPUT_FD = 8;
export const COMPLAINTS_FD = 9;

/** What bubblewrap is started with; everything else is in the file that it reads, out of sight for other users. */
export const BWRAP_DESCRIPTORS = { arguments: ARGUMENTS, filter: FILTER };

/**
 * Lays copy-on-write layers over folders and runs a program on them. It has a mount namespace of its own, so nothing
 * outside sees a mount of it, and the kernel takes all of them away with its last process, however that ends.
 *
 * 1. A file system in memory, of limited size, for everything that is written. It says "staged" and waits until the folders
 *    of the layers are there, which takes one process for each step here, and none in the one that waits.
 * 2. A layer over each folder. The folders are named relative to themselves and through descriptors, since an option of
 *    a mount cannot hold every name.
 * 3. The program, in bubblewrap, which ends with this script and after its time. It prints into a pipe, from which it cannot
 *    read: programs that look for a person behind their errors find no one there, and do not wait.
 * 4. It stays until its input ends, so that what was written can be read; its input also ends with the gateway.
 *
 * Arguments: stage, size, options of the layers, seconds, file with bubblewrap's arguments, filter, input, bubblewrap, bash, the
 * script of the program, a folder for it, and the folders to lay layers over.
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
 * Runs the program whose arguments lie in a file, each ended by a zero byte, with its script, if it has one; and then notes the kernel's counts of what
 * found no way out: it has a network of its own, so they are its.
 */
export const PROGRAM_SCRIPT = `: >"$1/out/${BEGUN_FILE}"
mapfile -d '' -t program <"$1/in/program"
script=$1/in/${SCRIPT_FILE}
if [ -e "$script" ]; then "\${program[@]}" ${INPUT_FD}<&0 ${COMPLAINTS_FD}>&2 <"$script" 2>/dev/null
else "\${program[@]}"; fi
status=$?
while read -r line; do echo "$line"; done 2>/dev/null </proc/net/snmp >"$1/out/network"
exit $status`;
