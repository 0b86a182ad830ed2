import { has, TAINT } from "../../language/state/values.ts";
import { hardBlock } from "../rule.ts";

/** Programs that run their file as a script in their own language. */
const SCRIPT_READERS = [
  "make",
  "gmake",
  "crontab",
  "gdb",
  "expect",
  "ansible-playbook",
  "nmap",
  "docker-compose",
  "systemd-run",
];

/** Data from the network or from an encoding that one of them would run. */
export const TAINTED_FILES = [
  hardBlock({
    id: "remote-code",
    reason: "Runs a script that came from the network or was encoded first.",
    programs: SCRIPT_READERS,
    fires: ({ effects, stdin }) =>
      has(stdin.taint, TAINT.network | TAINT.encoded) ||
      effects.some(({ type, content }) => type === "read" && has(content?.taint ?? 0, TAINT.network | TAINT.encoded)),
  }),
];
