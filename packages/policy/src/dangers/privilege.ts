import { hasOption, optionValues, parseOptions } from "../programs/options.ts";
import { effectKinds, hardBlock, hasFlag, words } from "./rule.ts";

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
    fires: (invocation) =>
      /cap_(setuid|setgid|sys_admin|dac_override|dac_read_search|sys_ptrace|sys_module)|=ep|\+ep|--gid=0|--uid=0/.test(
        words(invocation),
      ),
  }),
  hardBlock({
    id: "privilege-escalation",
    reason: "Gives a container the rights of the machine.",
    programs: ["docker", "podman", "nerdctl", "docker-compose", "lxc"],
    fires: (invocation) =>
      /(^|\s)(run|create|exec|launch|init|config)(\s|$)/.test(words(invocation)) &&
      /--privileged|--pid[= ]host|--cap-add[= ]?(ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE)|--userns[= ]host|security\.privileged|docker\.sock|--security-opt[= ]?(seccomp|apparmor)[=:]unconfined|(-v|--volume)[= ]?\/(etc|root|boot|dev|proc|sys|var\/run)?(\/[^:\s]*)?:|source=\/(,|etc|root)|src=\/(,|etc|root)|--device[= ]?\/dev\/(sd|nvme|vd|mem|dm)/.test(
        words(invocation),
      ),
  }),
  hardBlock({
    id: "privilege-escalation",
    reason: REASON,
    programs: [
      "systemd-run",
      "unshare",
      "gdb",
      "mount",
      "umount",
      "modprobe",
      "insmod",
      "rmmod",
      "kexec",
      "pivot_root",
      "swapoff",
      "sysctl",
      "setenforce",
      "iptables",
      "nft",
      "ufw",
      "login",
      "polkit-agent-helper-1",
      "dbus-send",
    ],
    fires: (invocation) => {
      const text = words(invocation);
      switch (invocation.program) {
        case "systemd-run":
          return (
            /--uid[= ]?(0|root)|--system|-p\s*User=root/.test(text) ||
            (!/--user\b/.test(text) && invocation.args.length > 0)
          );
        case "unshare":
          return (
            /(^|\s)(-[a-zA-Z]*[rU]|--map-root-user|--user)(\s|$)/.test(text) &&
            /--mount|-[a-zA-Z]*m|--pid|-[a-zA-Z]*p/.test(text) &&
            /chroot|pivot_root/.test(text)
          );
        case "gdb":
          return /(^|\s)(-p|--pid)[= ]?1(\s|$)/.test(text);
        case "mount":
          return invocation.args.length > 0 && !/^(-l|--help|--version|-V|-t \w+)$/.test(text);
        case "umount":
        case "modprobe":
        case "insmod":
        case "rmmod":
        case "pivot_root":
          return invocation.args.length > 0 && !/^(--help|--version|-V|-n .*|--show-depends .*)$/.test(text);
        case "setenforce":
          return /^(0|permissive)$/i.test(text);
        case "iptables":
          return /(^|\s)(-F|--flush|-P\s+\w+\s+ACCEPT|-X)(\s|$)/.test(text);
        case "ufw":
          return /disable|reset/.test(text);
        case "nft":
          return /flush/.test(text);
        case "sysctl":
          return /(^|\s)-w|=/.test(text) && /kernel\.|fs\.suid|randomize|unprivileged/.test(text);
        case "login":
          return invocation.args.length > 0;
        default:
          return false;
      }
    },
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
