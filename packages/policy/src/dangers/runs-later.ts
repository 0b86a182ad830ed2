import type { Invocation } from "../language/commands/invocation.ts";
import { asks, hasFlag } from "./rule.ts";

/** Verbs with which a service manager starts something automatically from now on. */
const STARTS_LATER = new Set(
  "enable reenable link edit preset preset-all unmask add-wants add-requires set-default enable-linger load bootstrap submit defaults on".split(
    " ",
  ),
);

/** Verbs with which a supervisor starts something, and restarts it whenever it ends. */
const SUPERVISES = new Set("start restart reload startup save resurrect run add update reread".split(" "));

/**
 * Programs that schedule a command to run later: cron, at, the service manager. It then runs outside Belay's terminals,
 * so it is neither judged nor recorded, and the emergency stop does not reach it.
 */
export const RUNS_LATER = [
  asks({
    id: "runs-later",
    level: "dangerous",
    reason: "Has something run later, outside of Belay's terminals: it is not judged, recorded or stopped there.",
    programs: [
      "crontab",
      "at",
      "batch",
      "systemctl",
      "loginctl",
      "launchctl",
      "update-rc.d",
      "chkconfig",
      "rc-update",
      "busctl",
      "gdbus",
      "dbus-send",
      "systemd-run",
      "start-stop-daemon",
      "daemonize",
      "incrontab",
      "anacron",
      "supervisorctl",
      "pm2",
      "forever",
      "brew",
      "docker",
      "podman",
    ],
    fires: schedules,
  }),
];

function schedules(invocation: Invocation): boolean {
  const { program, args } = invocation;
  switch (program) {
    case "crontab":
      return hasFlag(invocation, /^-e/) || !hasFlag(invocation, /^-[lr]/);
    case "at":
      return !hasFlag(invocation, /^-[lcdrV]/);
    case "batch":
      return !hasFlag(invocation, /^-V/);
    case "rc-update":
      return args.some(({ text }) => text === "add" || text === "a");
    case "busctl":
    case "gdbus":
    case "dbus-send":
      return args.some(({ text }) => /(?:Start|Enable|Link|Set)\w*Unit/.test(text));
    case "systemd-run":
    case "start-stop-daemon":
    case "daemonize":
    case "anacron":
      return args.length > 0;
    case "incrontab":
      return !hasFlag(invocation, /^-[ltr]/);
    case "supervisorctl":
    case "pm2":
    case "forever":
      return args.some(({ text }) => SUPERVISES.has(text));
    case "brew":
      return args[0]?.text === "services" && args.some(({ text }) => SUPERVISES.has(text));
    case "docker":
    case "podman":
      // The service restarts it whenever it ends, and after a reboot.
      return args.some(
        ({ text }, at) =>
          (text === "--restart" && args[at + 1]?.text !== "no") ||
          (text.startsWith("--restart=") && text !== "--restart=no"),
      );
    default:
      return args.some(({ text }) => STARTS_LATER.has(text));
  }
}
