import { has, TAINT } from "../language/state/values.ts";
import { SHELL_PROGRAMS } from "../programs/code/shells.ts";
import { hardBlock, words } from "./rule.ts";

const REASON = "Opens a shell to the network.";

export const REVERSE_SHELL = [
  hardBlock({
    id: "reverse-shell",
    reason: REASON,
    programs: ["nc", "ncat", "netcat", "nc.traditional", "nc.openbsd"],
    fires: (invocation) =>
      /(^|\s)(-[a-zA-Z]*[ec]|--exec|--sh-exec|--lua-exec)(\s|=|$)/.test(words(invocation)) ||
      has(invocation.stdin.taint, TAINT.shellOutput),
  }),
  hardBlock({
    id: "reverse-shell",
    reason: REASON,
    programs: ["socat"],
    fires: (invocation) =>
      /(EXEC|SYSTEM|PTY):?/i.test(words(invocation)) && /(tcp|udp|openssl|ssl|sctp|vsock)/i.test(words(invocation)),
  }),
  hardBlock({
    id: "reverse-shell",
    reason: REASON,
    programs: ["telnet", "openssl", "ssh", "curl", "websocat"],
    fires: (invocation) => has(invocation.stdin.taint, TAINT.shellOutput),
  }),
  hardBlock({
    id: "reverse-shell",
    reason: REASON,
    programs: [...SHELL_PROGRAMS],
    fires: (invocation) => invocation.effects.some(({ path }) => /^\/dev\/(tcp|udp)\//.test(path.text)),
  }),
  hardBlock({
    id: "reverse-shell",
    reason: REASON,
    programs: ["awk", "gawk"],
    fires: (invocation) =>
      /\/inet\/(tcp|udp)\//.test(words(invocation)) && /getline|system|\|&/.test(words(invocation)),
  }),
];
