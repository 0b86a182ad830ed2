import type { Field } from "../../language/state/values.ts";
import { hasOption, optionValues, parseOptions } from "../../programs/options.ts";
import { effectKinds, hardBlock, hasFlag } from "../rule.ts";
import { containerGainsRights } from "./container-rights.ts";

const REASON = "Gains the rights of another user, or of root.";

export const PRIVILEGE = [
  hardBlock({
    id: "privilege-escalation",
    reason: "Makes a program run with its owner's rights.",
    programs: ["chmod", "install", "mknod"],
    fires: (invocation) =>
      hasFlag(
        invocation,
        /^(?:[ugoa]*[+=][rwxXt]*s[rwxXst]*|(?:[ugoa]*[-+=][rwxXst]+,)+[ug]*[+=][rwxX]*s.*|0?[2-7][0-7]{3})$/,
      ),
  }),
  hardBlock({
    id: "privilege-escalation",
    reason: "Has something run as another user.",
    programs: ["crontab"],
    fires: ({ args }) => {
      const parsed = parseOptions(args, { short: "u", long: ["user"] });
      const isOnlyListed = hasOption(parsed, "-l") && parsed.operands.length === 0;
      return !isOnlyListed && optionValues(parsed, "-u", "--user").some(({ text }) => text === "root");
    },
  }),
  hardBlock({
    id: "privilege-escalation",
    reason: "Opens the root directory to everyone.",
    programs: ["chmod", "chown", "chgrp", "setfacl"],
    fires: (invocation, context) => {
      const targets = invocation.args.slice(1).filter(({ text }) => text === "/" || text === "//");
      return targets.length > 0 && context.home !== "/";
    },
  }),
  hardBlock({
    id: "privilege-escalation",
    reason: REASON,
    programs: ["setcap", "capsh"],
    fires: ({ args }) => args.some(({ text }) => grantsCapability(text)),
  }),
  hardBlock({
    id: "privilege-escalation",
    reason: "Gives a container the rights of the machine.",
    programs: ["docker", "podman", "nerdctl", "docker-compose", "lxc"],
    fires: containerGainsRights,
  }),
  hardBlock({
    id: "privilege-escalation",
    reason: REASON,
    programs:
      "systemd-run unshare gdb mount umount modprobe insmod rmmod kexec pivot_root swapoff sysctl setenforce iptables nft ufw login polkit-agent-helper-1 dbus-send".split(
        " ",
      ),
    fires: ({ program, args }) => args.length > 0 && gainsRights(program, args),
  }),
  hardBlock({
    id: "privilege-escalation",
    reason: "Destroys something with the rights of another user.",
    needsEffects: true,
    fires: (invocation, context) =>
      invocation.isPrivileged &&
      /^(rm|shred|mv|cp|tee|chmod|chown|dd|install|ln|truncate)$/.test(invocation.program) &&
      effectKinds(invocation, context, "write", "append", "delete").some(
        (kind) => kind !== "ordinary" && kind !== "elsewhere",
      ),
  }),
];

const STRONG_CAPABILITIES =
  "cap_setuid cap_setgid cap_sys_admin cap_dac_override cap_dac_read_search cap_sys_ptrace cap_sys_module".split(" ");

/** `cap_setuid,cap_net_raw+ep`, `=ep`, `--uid=0`: one word of setcap or capsh. */
function grantsCapability(word: string): boolean {
  if (["--gid=0", "--uid=0", "--user=root"].includes(word)) return true;
  const names = word
    .toLowerCase()
    .split(/[^a-z0-9_]+/)
    .filter((name) => name !== "");
  return STRONG_CAPABILITIES.some((name) => names.includes(name)) || /[=+][eip]*e[eip]*p[eip]*$/.test(word);
}

/** Words with which these programs only print, list or simulate. */
const ASKS_ONLY: ReadonlySet<string> = new Set("--help --version -V -l -h --list --list-types".split(" "));
const isAny = (args: readonly Field[], ...words: readonly string[]) => args.some(({ text }) => words.includes(text));

function gainsRights(program: string, args: readonly Field[]): boolean {
  const onlyAsks = args.every(({ text }) => ASKS_ONLY.has(text));
  switch (program) {
    case "systemd-run": {
      const parsed = parseOptions(args, {
        short: "pEMHut",
        long: ["uid", "gid", "property", "setenv", "unit", "slice", "machine"],
        stopsAtOperand: true,
      });
      const isRoot = optionValues(parsed, "--uid", "-p", "--property").some(({ text }) =>
        ["0", "root", "User=root", "User=0"].includes(text),
      );
      return !onlyAsks && (isRoot || hasOption(parsed, "--system") || !hasOption(parsed, "--user"));
    }
    case "unshare": {
      const parsed = parseOptions(args, {
        short: "RwSG",
        long: ["root", "wd", "setuid", "setgid"],
        stopsAtOperand: true,
      });
      return (
        hasOption(parsed, "-r", "-U", "--map-root-user", "--user", "--map-user", "--map-current-user") &&
        hasOption(parsed, "-m", "--mount", "-p", "--pid") &&
        (isAny(parsed.rest, "chroot", "pivot_root") ||
          parsed.rest.some(({ text }) => /\b(?:chroot|pivot_root)\b/.test(text)))
      );
    }
    case "gdb": {
      const parsed = parseOptions(args, { short: "px", long: ["pid", "command"] });
      return optionValues(parsed, "-p", "--pid").some(({ text }) => text === "1");
    }
    case "mount":
      return !onlyAsks && !(args.length === 2 && args[0]?.text === "-t");
    case "modprobe":
      return !onlyAsks && !isAny(args, "-n", "--dry-run", "-D", "--show-depends", "-c", "--showconfig");
    case "umount":
    case "insmod":
    case "rmmod":
    case "pivot_root":
      return !onlyAsks;
    case "setenforce":
      return isAny(args, "0", "permissive", "Permissive");
    case "iptables":
      return (
        isAny(args, "-F", "--flush", "-X", "--delete-chain") ||
        args.some(({ text }, at) => ["-P", "--policy"].includes(text) && args[at + 2]?.text === "ACCEPT")
      );
    case "ufw":
      return isAny(args, "disable", "reset");
    case "nft":
      // The whole statement may be one word.
      return args.some(({ text }) => text.split(/\s+/).includes("flush"));
    case "sysctl":
      return args.some(({ text }) => {
        const [key = "", value] = text.replace(/^-w/, "").split("=");
        return (value !== undefined || isAny(args, "-w", "--write")) && isKernelSetting(key);
      });
    case "login":
      return true;
    default:
      return false;
  }
}

function isKernelSetting(key: string): boolean {
  const parts = key.split(/[./_]/);
  return (
    parts[0] === "kernel" || parts.includes("randomize") || parts.includes("unprivileged") || key === "fs.suid_dumpable"
  );
}
