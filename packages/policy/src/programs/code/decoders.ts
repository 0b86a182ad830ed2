import type { Field } from "../../language/state/values.ts";

/** Decodes a literal if that is simple, so that the result can be judged and shown. Null otherwise. */
export function decodeKnown(program: string, args: readonly Field[], input: string | null): string | null {
  if (input === null || input.length > 8_192) return null;
  switch (program) {
    case "base64":
    case "openssl":
      return decodeBase64(input);
    case "rev":
      return input
        .split("\n")
        .map((line) => [...line].reverse().join(""))
        .join("\n");
    case "xxd":
      return decodeHex(input);
    case "tr":
      return translate(args, input);
    default:
      return null;
  }
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function decodeBase64(input: string): string | null {
  const clean = input.replace(/[\s=]/g, "");
  if (clean === "" || /[^A-Za-z0-9+/]/.test(clean)) return null;
  let bits = 0;
  let held = 0;
  let text = "";
  for (const char of clean) {
    bits = (bits << 6) | ALPHABET.indexOf(char);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    text += String.fromCharCode((bits >> held) & 0xff);
    bits &= (1 << held) - 1;
  }
  return text;
}

function decodeHex(input: string): string | null {
  const clean = input.replace(/\s/g, "");
  if (clean === "" || /[^0-9a-fA-F]/.test(clean)) return null;
  return (clean.match(/../g) ?? []).map((pair) => String.fromCharCode(Number.parseInt(pair, 16))).join("");
}

function translate(args: readonly Field[], input: string): string | null {
  const [from, to] = args.map(({ text }) => text);
  if (from === undefined || to === undefined || from.startsWith("-") || args.length > 2) return null;
  const source = expandRange(from);
  const target = expandRange(to);
  if (source === null || target === null || target.length === 0) return null;
  return [...input]
    .map((char) => {
      const at = source.indexOf(char);
      return at < 0 ? char : (target[Math.min(at, target.length - 1)] ?? char);
    })
    .join("");
}

function expandRange(set: string): string[] | null {
  if (/[[\]\\]/.test(set)) return null;
  const chars = [...set];
  const expanded: string[] = [];
  for (let at = 0; at < chars.length; at += 1) {
    const first = chars[at] ?? "";
    const last = chars[at + 1] === "-" ? chars[at + 2] : undefined;
    if (last === undefined) {
      expanded.push(first);
      continue;
    }
    for (let code = first.charCodeAt(0); code <= last.charCodeAt(0); code += 1)
      expanded.push(String.fromCharCode(code));
    at += 2;
  }
  return expanded;
}
