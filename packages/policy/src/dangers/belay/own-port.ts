import type { JudgeContext } from "../../context.ts";
import type { Invocation } from "../../language/commands/invocation.ts";
import { HOLE, hasGlob } from "../../language/state/values.ts";

/** Programs whose arguments are text, and programs that only list ports. */
const NO_CLIENT = /^(echo|printf|git|grep|egrep|fgrep|rg|ag|ack|test|\[|sed|awk|jq|ls|cat|ss|netstat|lsof|true|:)$/;

/** Whether an invocation connects to one of Belay's own ports on this machine, in any spelling of the address. */
export function namesOwnPort(invocation: Invocation, { own }: JudgeContext): boolean {
  if (own.ports.length === 0) return false;
  const opened = invocation.effects.map(({ path }) => path.text).filter((path) => /^\/dev\/(tcp|udp)\//.test(path));
  const words = NO_CLIENT.test(invocation.program) ? [] : invocation.args.map(({ text }) => text);
  // The port may be in the word of its host, or in the next one: `nc localhost 7400`.
  const places = [...opened, ...words, ...words.slice(1).map((word, at) => `${words[at]} ${word}`)];
  return own.ports.some((port) =>
    places.some((text) => text.includes(String(port)) && namesPort(text, port, invocation.program)),
  );
}

/** Programs that take a port without an address. All except `lsof` end the process that listens there, or publish it. */
const BY_PORT = /^(fuser|kill-port|npx|lsof|ngrok|bore|lt|localtunnel|tailscale|zrok)$/;

function namesPort(text: string, port: number, program: string): boolean {
  // `http :7400/x` means this machine.
  if (/^(https?|xhs?)$/.test(program) && new RegExp(`^:${port}(?!\\d)`).test(text)) return true;
  if (BY_PORT.test(program) && new RegExp(`(^|\\s|:)${port}(/tcp)?(\\s|$)`).test(text)) return program !== "lsof";
  for (const match of text.matchAll(
    new RegExp(`([^\\s"'(,/@=]+|\\[[0-9a-fA-F:.]+\\])[\\s:/,"']+${port}(?!\\d)`, "g"),
  )) {
    const written = match[1] ?? "";
    // `TCP:127.1:7400`, `9000:localhost:7400`: the address is before the port.
    if (isThisMachine(written) || isThisMachine(written.slice(written.lastIndexOf(":") + 1))) return true;
  }
  return false;
}

/** `localhost`, `127.1`, `0x7f.1`, `2130706433`, `0`, `::1`: this machine, in all spellings that a resolver accepts. */
export function isThisMachine(written: string): boolean {
  const host = written
    .replace(/^\[|\]?:?$/g, "")
    .replace(/\]$/, "")
    .replace(/\.$/, "")
    .toLowerCase();
  // Unknown, or in brackets that could also be a wildcard.
  if (host.includes(HOLE) || hasGlob(host)) return true;
  if (
    /^(localhost|.+\.localhost|ip6-localhost|ip6-loopback|localhost\d?\.localdomain\d?|localtest\.me|.+\.nip\.io|.+\.sslip\.io)$/.test(
      host,
    )
  )
    return true;
  if (host.includes(":")) return isLoopbackV6(host);
  const address = parseV4(host);
  return address !== null && (address >>> 24 === 127 || address === 0);
}

function isLoopbackV6(host: string): boolean {
  const mapped = /^(?:0*:)*:?(?:ffff:)?(\d+\.\d+\.\d+\.\d+)$/.exec(host)?.[1];
  if (mapped !== undefined) return isThisMachine(mapped);
  if (/^(?:0*:)*:?ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}$/.test(host)) return true;
  return /^[0:]*:0*1?(%.*)?$/.test(host);
}

/** Like `inet_aton`: one to four numbers, decimal, octal or hexadecimal; the last one fills the rest. */
function parseV4(host: string): number | null {
  const parts = host.split(".");
  if (parts.length > 4) return null;
  const numbers = parts.map((part) => {
    if (/^0x[0-9a-f]*$/.test(part)) return Number.parseInt(part.slice(2) || "0", 16);
    if (/^0[0-7]*$/.test(part)) return Number.parseInt(part, 8);
    return /^[1-9]\d*$/.test(part) ? Number(part) : Number.NaN;
  });
  const last = numbers.pop() ?? Number.NaN;
  if (Number.isNaN(last) || numbers.some((number) => !(number <= 255))) return null;
  let address = 0;
  for (const [at, number] of numbers.entries()) address += number * 256 ** (3 - at);
  return last < 256 ** (4 - numbers.length) ? (address + last) >>> 0 : null;
}
