import type { Invocation } from "../../language/commands/invocation.ts";
import { effectKinds, hardBlock, hasFlag } from "../rule.ts";

const REASON = "Destroys a disk, a partition or a file system.";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const ASKS_ONLY = words("--help --version -V -h");

/** What each tool may be given if it only inspects: options, commands, and values that follow one of them. */
const LOOKS: Readonly<Record<string, ReadonlySet<string>>> = {
  sgdisk: words("-p --print -v --verify -i --info -L --list-types -E --end-of-largest -f -F -O"),
  gdisk: words("-l"),
  fdisk: words("-l --list -x --list-details -s --getsz -o --output -b -u --bytes"),
  cfdisk: words(""),
  sfdisk: words(
    "-l --list -d --dump -J --json -F --list-free -g --show-geometry -s --show-size -V --verify -n --no-act -T --list-types",
  ),
  parted: words(
    "-l --list -s --script -m --machine print unit free all devices list help version quit align-check optimal minimal s b kb mb gb kib mib gib compact",
  ),
  dmsetup: words("ls info status table deps version targets -c --columns --tree -o -C"),
  resize2fs: words("-P"),
  tune2fs: words("-l"),
  xfs_repair: words("-n"),
  wipefs: words("-n --no-act -p --parsable -J --json -i --noheadings -O --output -q --quiet"),
};

/** Every option and command must be one that only inspects: `parted /dev/sdx mklabel gpt print` also writes. */
function onlyLooks({ program, args }: Invocation): boolean {
  if (args.every(({ text }) => ASKS_ONLY.has(text))) return true;
  // `wipefs -an` only prints what it would erase.
  if (program === "wipefs" && args.some(({ text }) => /^(?:-[a-z]*n[a-z]*|--no-act)$/.test(text))) return true;
  const allowed = LOOKS[program];
  if (allowed === undefined || !args.some(({ text }) => allowed.has(text))) {
    // Without options, `wipefs` lists the signatures.
    return program === "wipefs" && args.every(({ text }) => !text.startsWith("-"));
  }
  return args.every(
    ({ text }) =>
      allowed.has(text) || allowed.has(text.toLowerCase()) || ASKS_ONLY.has(text) || /^(?:\/\S*|\d+)$/.test(text),
  );
}

/** Verbs and options of other tools that erase. */
const ERASES = words(
  "format sanitize luksformat lukserase erase destroy labelclear erasedisk erasevolume zerodisk reformat security-erase security-erase-enhanced zero-superblock subvolume-delete securerase secureerase",
);

/** `nvme format`, `hdparm --security-erase x`, `btrfs subvolume delete`. */
function erases({ args }: Invocation): boolean {
  const given = args.map(({ text }) => (text.replace(/^--?/, "").split("=")[0] ?? "").toLowerCase());
  return given.some((word, at) => ERASES.has(word) || (word === "delete" && given[at - 1] === "subvolume"));
}

/** `mkfs.ext4 /tmp/test.img` creates a file system in a regular file. A person is still asked. */
function isOnImage({ args }: Invocation): boolean {
  const paths = args.filter(({ text }) => !text.startsWith("-") && /[/.]/.test(text));
  return paths.length > 0 && paths.every(({ text, taint }) => taint === 0 && IMAGE.test(text) && !text.includes(".."));
}

const IMAGE = /^(?!\/dev\/)[\w./-]+\.(?:img|image|raw|ext[234]|qcow2|iso|bin)$/;

export const DISK_DESTRUCTION = [
  hardBlock({
    id: "disk-destruction",
    reason: REASON,
    fires: (invocation) =>
      /^(mkfs(\..+)?|mke2fs|mkswap|newfs(_.+)?|mkdosfs|mkntfs)$/.test(invocation.program) &&
      !hasFlag(invocation, /^(--help|--version|-V)$/) &&
      !isOnImage(invocation),
  }),
  hardBlock({
    id: "disk-destruction",
    reason: REASON,
    programs: [
      "wipefs",
      "sgdisk",
      "gdisk",
      "fdisk",
      "cfdisk",
      "sfdisk",
      "parted",
      "blkdiscard",
      "badblocks",
      "dmsetup",
      "resize2fs",
      "tune2fs",
      "xfs_repair",
    ],
    fires: (invocation) => invocation.args.length > 0 && !onlyLooks(invocation),
  }),
  hardBlock({
    id: "disk-destruction",
    reason: REASON,
    programs: [
      "hdparm",
      "nvme",
      "cryptsetup",
      "mdadm",
      "zpool",
      "zfs",
      "lvremove",
      "vgremove",
      "pvremove",
      "lvreduce",
      "diskutil",
      "btrfs",
      "sg_format",
    ],
    fires: (invocation) =>
      /^(lvremove|vgremove|pvremove|lvreduce|sg_format)$/.test(invocation.program) || erases(invocation),
  }),
  hardBlock({
    id: "disk-destruction",
    reason: "Writes straight to a disk.",
    needsEffects: true,
    fires: (invocation, context) => effectKinds(invocation, context, "write", "append", "delete").includes("device"),
  }),
  hardBlock({
    id: "disk-destruction",
    reason: "Copies raw data as another user.",
    programs: ["dd"],
    fires: (invocation) => invocation.isPrivileged,
  }),
];
