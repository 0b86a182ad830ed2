import { optionValues, parseOptions } from "../../programs/options.ts";
import { asks, hardBlock, hasFlag } from "../rule.ts";

const REASON = "Stops or restarts the machine, or everything that runs on it.";

const POWER_VERBS: ReadonlySet<string> = new Set(
  "poweroff reboot halt kexec soft-reboot suspend hibernate hybrid-sleep emergency rescue exit default isolate".split(
    " ",
  ),
);
/** Parts of names on the message bus: `org.freedesktop.login1.Manager.PowerOff`. */
const POWER_CALLS: ReadonlySet<string> = new Set(
  "PowerOff Reboot Halt Suspend Hibernate HybridSleep PowerOffWithFlags RebootWithFlags Manager".split(" "),
);
/** Options of pkill and killall that take a value. */
const PKILL = { short: "uUgGPstFtoy", long: ["euid", "uid", "user", "pgroup", "group", "parent", "session", "signal"] };

export const SYSTEM_DOWN = [
  hardBlock({
    id: "system-down",
    reason: REASON,
    programs: [
      "shutdown",
      "reboot",
      "halt",
      "poweroff",
      "telinit",
      "init",
      "killall5",
      "kexec",
      "pm-suspend",
      "pm-hibernate",
    ],
    fires: (invocation) => {
      if (hasFlag(invocation, /^(--help|--version|-c|--show|-w|--wtmp-only)$/)) return false;
      if (invocation.program === "init" || invocation.program === "telinit") return hasFlag(invocation, /^[0-6sSqQ]$/);
      return true;
    },
  }),
  hardBlock({
    id: "system-down",
    reason: REASON,
    programs: ["systemctl", "loginctl", "dbus-send", "busctl", "gdbus"],
    fires: (invocation) =>
      invocation.args.some(
        ({ text }) => POWER_VERBS.has(text) || text.split(/[./:]/).some((part) => POWER_CALLS.has(part)),
      ) && !hasFlag(invocation, /^(status|show|cat|--help|is-active|is-enabled|list-.*|help)$/),
  }),
  hardBlock({
    id: "system-down",
    reason: "Ends the process that everything else depends on, or every process there is.",
    programs: ["kill", "killall", "pkill", "skill"],
    fires: (invocation) => {
      const operands = invocation.args.map(({ text }) => text);
      if (invocation.program !== "kill")
        return (
          operands.some((text) => /^(systemd|init|launchd|dbus-daemon|sshd)$/.test(text)) ||
          optionValues(parseOptions(invocation.args, PKILL), "-u", "-U", "--euid", "--uid").some(
            ({ text }) => text.split(",").includes("root") || text.split(",").includes("0"),
          ) ||
          operands.includes(".")
        );
      const targets = operands.filter(
        (text, at) => !(at === 0 && /^-([A-Z]\w*|\d+|s|n|l|L)$/.test(text) && operands.length > 1),
      );
      return (
        targets.some((text) => text === "1" || text === "-1") && !operands.includes("-l") && !operands.includes("-0")
      );
    },
  }),
  asks({
    id: "stops-service",
    level: "dangerous",
    reason: "Stops or restarts a service of this machine, which others may be using.",
    programs: ["systemctl", "service", "rc-service", "supervisorctl", "launchctl", "sv", "initctl", "pm2", "circusctl"],
    fires: ({ args }) =>
      args.some(({ text }) =>
        /^(?:(?:force-|try-|hard-)?(?:stop|restart|reload)(?:-or-restart)?|kickstart|unload|bootout|kill|disable|mask|down|term|shutdown)$/.test(
          text,
        ),
      ),
  }),
];
