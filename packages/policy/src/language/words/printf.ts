import type { Dialect } from "../grammar/dialects.ts";
import { type Field, HOLE, type Stream, stream } from "../state/values.ts";
import { decodeEscapes } from "./escapes.ts";

/** Directives without width and precision, of the kinds that are evaluated here. */
const SIMPLE_FORMAT = /^(?:[^%]|%%|%[sbcdiuxoq])*$/;

/** The output of `printf`, as far as its arguments are known. */
export function formatPrintf(args: readonly Field[]): Stream {
  const [format, ...values] = args[0]?.text === "--" ? args.slice(1) : args;
  if (format === undefined) return stream("");
  const taint = args.reduce((all, arg) => all | arg.taint, 0);
  if (format.text.includes(HOLE)) return stream(HOLE, taint);
  if (!SIMPLE_FORMAT.test(format.text)) return stream(HOLE, taint);
  const perRound = (format.text.match(/%[^%]/g) ?? []).length;
  let text = "";
  let at = 0;
  do {
    text += decodeEscapes(format.text).replace(
      /%(%|[-+ #0]*\d*(?:\.\d+)?([a-zA-Z]))/g,
      (whole, _body, letter?: string) => {
        if (whole === "%%") return "%";
        const value = values[at]?.text ?? "";
        at += 1;
        return formatOne(letter ?? "s", value);
      },
    );
  } while (perRound > 0 && at < values.length && text.length < 64_000);
  return stream(text, taint);
}

function formatOne(letter: string, value: string): string {
  switch (letter) {
    case "b":
      return decodeEscapes(value);
    case "c":
      return value.slice(0, 1);
    case "x":
      return /^\d+$/.test(value) ? Number(value).toString(16) : HOLE;
    case "o":
      return /^\d+$/.test(value) ? Number(value).toString(8) : HOLE;
    case "s":
      return value;
    case "q":
      return /^[\w./-]*$/.test(value) ? value : HOLE;
    case "d":
    case "i":
    case "u":
      return /^(?:0|-?[1-9]\d*)$/.test(value) ? value : HOLE;
    default:
      return HOLE;
  }
}

/**
 * The output of `echo`. Bash interprets escapes only with `-e`, zsh always; a plain `sh` may do either, so its output
 * is both, concatenated.
 */
export function formatEcho(args: readonly Field[], dialect: Dialect = "bash"): Stream {
  let at = 0;
  let readsEscapes = dialect === "zsh";
  let endsLine = true;
  while (/^-[neE]+$/.test(args[at]?.text ?? "")) {
    const flags = args[at]?.text ?? "";
    if (flags.includes("e")) readsEscapes = true;
    if (flags.includes("E")) readsEscapes = false;
    if (flags.includes("n")) endsLine = false;
    at += 1;
  }
  const words = args.slice(at);
  const joined = words.map((word) => word.text).join(" ");
  const taint = words.reduce((all, word) => all | word.taint, 0);
  const decoded = readsEscapes || dialect === "posix" ? decodeUntilStop(joined) : joined;
  const end = endsLine ? "\n" : "";
  const isEither = dialect === "posix" && decoded !== joined;
  return stream((isEither ? `${decoded}\n${joined}` : decoded) + end, taint);
}

/** `\c` ends the output. */
function decodeUntilStop(text: string): string {
  const stop = /(?<!\\)(?:\\\\)*\\c/.exec(text);
  return decodeEscapes(stop === null ? text : text.slice(0, stop.index + stop[0].length - 2));
}
