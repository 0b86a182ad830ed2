import type { Invocation } from "../language/commands/invocation.ts";
import { asks, hasFlag } from "./rule.ts";

/** Verbs with which a service manager starts something by itself from now on. */
const STARTS_LATER = new Set(
  "enable reenable link edit preset preset-all unmask add-wants add-requires set-default enable-linger load bootstrap submit defaults on".split(
    " ",
  ),
);

/**
 * Programs that have something else run a command later: cron, at, the service manager. It is then outside of every
 * terminal of Belay, so it is neither judged nor recorded, and a freeze does not stop it.
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
    default:
      return args.some(({ text }) => STARTS_LATER.has(text));
  }
}
