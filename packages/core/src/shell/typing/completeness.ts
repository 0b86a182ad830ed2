import { CoreError } from "../../errors.ts";
import type { ShellKind } from "../hooks.ts";
import { endsPaste } from "./typing.ts";

/** Larger texts take a shell's line editor seconds. */
const MAX_COMMAND_BYTES = 256 * 1024;

/** Throws for a text that is incomplete, so that the shell would wait for more, or that cannot be typed. */
export function checkCanBeTyped(text: string, kind: ShellKind): void {
  if (Buffer.byteLength(text) > MAX_COMMAND_BYTES) {
    throw new CoreError(
      "command-too-long",
      `The command has more than ${MAX_COMMAND_BYTES} bytes. Put it into a file and run that.`,
    );
  }
  if (text.includes("\0") || endsPaste(text)) {
    throw new CoreError(
      "incomplete-command",
      "The command contains a character that cannot be typed (NUL or an end of paste).",
    );
  }
  const open = findOpenEnd(text, kind);
  if (open) throw new CoreError("incomplete-command", `The command is not finished: ${open}. Nothing was typed.`);
}

/** What a shell would still wait for at the end of a text, judging by quotes and here-docs. */
export function findOpenEnd(text: string, kind: ShellKind): string | null {
  const hereDocs: { word: string; stripsTabs: boolean }[] = [];
  let at = 0;
  while (at < text.length) {
    const character = text[at];
    if (character === "\\") {
      if (at + 1 >= text.length) return "a backslash at its end";
      at += 2;
    } else if (character === "'" || character === '"') {
      const end = closingQuote(text, at, kind);
      if (end < 0) return `a ${character} is open`;
      at = end + 1;
    } else if (character === "#" && /^$|[\s;&|(]/.test(text[at - 1] ?? "")) {
      const end = text.indexOf("\n", at);
      at = end < 0 ? text.length : end;
    } else if (character === "(" && text.startsWith("((", at) && text.includes("))", at)) {
      // In arithmetic, << is a shift.
      at = text.indexOf("))", at) + 2;
    } else if (character === "<" && (kind === "fish" || text.startsWith("<<<", at))) {
      at += kind === "fish" ? 1 : 3;
    } else if (character === "<" && text.startsWith("<<", at)) {
      const match = /^<<(-?)[ \t]*(\\?[^\s;&|<>()'"]+|'[^']*'|"[^"]*")/.exec(text.slice(at, at + 300));
      if (match?.[2]) hereDocs.push({ word: match[2].replace(/['"\\]/g, ""), stripsTabs: match[1] === "-" });
      at += match ? match[0].length : 2;
    } else if (character === "\n" && hereDocs.length > 0) {
      at++;
      for (let doc = hereDocs.shift(); doc; doc = hereDocs.shift()) {
        const end = endOfHereDoc(text, at, doc);
        if (end < 0) return `the here-document "${doc.word}" is open`;
        at = end;
      }
    } else {
      at++;
    }
  }
  return hereDocs[0] ? `the here-document "${hereDocs[0].word}" is open` : null;
}

function closingQuote(text: string, from: number, kind: ShellKind): number {
  const quote = text[from];
  // $'…' supports \' and '…' does not; in fish both do.
  const knowsBackslash = quote === '"' || text[from - 1] === "$" || kind === "fish";
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === "\\" && knowsBackslash) at++;
    else if (text[at] === quote) return at;
  }
  return -1;
}

function endOfHereDoc(text: string, from: number, doc: { word: string; stripsTabs: boolean }): number {
  let at = from;
  while (at <= text.length) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(at, end);
    if ((doc.stripsTabs ? line.replace(/^\t+/, "") : line) === doc.word) return end;
    if (newline < 0) return -1;
    at = newline + 1;
  }
  return -1;
}
