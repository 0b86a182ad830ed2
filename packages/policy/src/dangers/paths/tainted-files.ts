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

/** Blocks running data from the network, or decoded data, with one of these programs. */
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
