import { effectKinds, hardBlock, hasFlag, words } from "./rule.ts";

const REASON = "Destroys a disk, a partition or a file system.";

/** Read-only use is fine: lists, prints and dry runs of the partition tools. */
const ONLY_LOOKS =
  /(^|\s)(-l|--list|-p|--print|print|-n|--no-act|--dry-run|--help|--version|-V|-i|--info|info|list|status|-h|show)(\s|$)/;

export const DISK_DESTRUCTION = [
  hardBlock({
    id: "disk-destruction",
    reason: REASON,
    fires: (invocation) =>
      /^(mkfs(\..+)?|mke2fs|mkswap|newfs(_.+)?|mkdosfs|mkntfs)$/.test(invocation.program) &&
      !hasFlag(invocation, /^(--help|--version|-V)$/),
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
    fires: (invocation) => invocation.args.length > 0 && !ONLY_LOOKS.test(words(invocation)),
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
      /^(lvremove|vgremove|pvremove|lvreduce|sg_format)$/.test(invocation.program) ||
      /security-erase|(^|\s)format(\s|$)|sanitize|luksFormat|luksErase|(^|\s)erase|zero-superblock|(^|\s)destroy|labelclear|eraseDisk|eraseVolume|zeroDisk|reformat|subvolume delete/i.test(
        words(invocation),
      ),
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
