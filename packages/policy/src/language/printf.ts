import { decodeEscapes } from "./parameters.ts";
import { type Field, HOLE, type Stream, stream } from "./values.ts";

/** What `printf` prints, as far as its arguments are known. */
export function formatPrintf(args: readonly Field[]): Stream {
  const [format, ...values] = args[0]?.text === "--" ? args.slice(1) : args;
  if (format === undefined) return stream("");
  const taint = args.reduce((all, arg) => all | arg.taint, 0);
  if (format.text.includes(HOLE)) return stream(HOLE, taint);
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
    case "q":
    case "s":
    case "d":
    case "i":
    case "u":
      return value;
    default:
      return HOLE;
  }
}

/** What `echo` prints. Bash reads escapes only with `-e`; others always do, and what is code either way is judged. */
export function formatEcho(args: readonly Field[]): Stream {
  let at = 0;
  let readsEscapes = false;
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
  return stream((readsEscapes ? decodeEscapes(joined) : joined) + (endsLine ? "\n" : ""), taint);
}
