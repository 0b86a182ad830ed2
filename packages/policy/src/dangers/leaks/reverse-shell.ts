import type { Invocation } from "../../language/commands/invocation.ts";
import { has, TAINT } from "../../language/state/values.ts";
import { SHELL_PROGRAMS } from "../../programs/code/shells.ts";
import { hasOption, parseOptions } from "../../programs/options.ts";
import { hardBlock } from "../rule.ts";

const REASON = "Opens a shell to the network.";

/** Single-letter options of netcat that take a value. */
const NETCAT = {
  short: "ceGgiIMmNOoPpqsTtVWwXx",
  long: ["exec", "sh-exec", "lua-exec", "source", "source-port", "wait", "proxy", "output"],
};

/** The type of each address of socat: `EXEC:sh,pty` and `TCP:host:1` are EXEC and TCP. */
function socatTypes({ args }: Invocation): string[] {
  return args.flatMap(({ text }) =>
    text.startsWith("-") ? [] : text.split("!!").map((address) => (address.split(/[:,]/)[0] ?? "").toLowerCase()),
  );
}

const RUNS_PROGRAM: ReadonlySet<string> = new Set("exec system pty shell".split(" "));
const IS_NETWORK =
  /^(?:(?:tcp|udp|udplite|sctp|vsock|openssl|ssl|dccp|socks4a?|socks5|proxy|ip)[46]?)(?:-(?:listen|connect|l|dtls-server|dtls-client|server|client|datagram|sendto|recv|recvfrom))*$/;

export const REVERSE_SHELL = [
  hardBlock({
    id: "reverse-shell",
    reason: REASON,
    programs: ["nc", "ncat", "netcat", "nc.traditional", "nc.openbsd"],
    fires: (invocation) =>
      hasOption(parseOptions(invocation.args, NETCAT), "-e", "-c", "--exec", "--sh-exec", "--lua-exec") ||
      has(invocation.stdin.taint, TAINT.shellOutput),
  }),
  hardBlock({
    id: "reverse-shell",
    reason: REASON,
    programs: ["socat"],
    fires: (invocation) =>
      socatTypes(invocation).some((type) => RUNS_PROGRAM.has(type)) &&
      socatTypes(invocation).some((type) => IS_NETWORK.test(type)),
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
      // The address may be in one argument, and the program in another.
      invocation.args.some(({ text }) => /\/inet[46]?\/(?:tcp|udp)\//.test(text)) &&
      invocation.args.some(({ text }) => /getline|system|\|&/.test(text)),
  }),
];
