import { type ParsedScript, parse } from "unbash";

/** Larger texts are refused without parsing: people cannot review 64 KB, and parsing must stay quick. */
export const MAX_TEXT_LENGTH = 64 * 1024;
/** Deeper nesting takes too long to parse. */
export const MAX_NESTING = 50;

export type Syntax = "complete" | "incomplete" | "invalid";

export interface ParsedText {
  readonly script: ParsedScript | null;
  readonly syntax: Syntax;
  /** The parser's error, and its position. */
  readonly problem: { message: string; at: number } | null;
}

/** Parses a whole text. Never throws; nesting that overflows the parser is invalid. */
export function parseText(text: string): ParsedText {
  let script: ParsedScript;
  try {
    script = parse(text);
  } catch (error) {
    // Deep nesting overflows the parser's stack.
    const message = error instanceof RangeError ? "nested too deeply" : "the parser failed";
    return { script: null, syntax: "invalid", problem: { message, at: 0 } };
  }
  const first = script.errors?.[0];
  if (first !== undefined) {
    return {
      script,
      syntax: isOpenEnded(first.message, first.pos, text),
      problem: { message: first.message, at: first.pos },
    };
  }
  // The shell would wait for the rest of the line.
  if (endsInBackslash(text)) {
    return { script, syntax: "incomplete", problem: { message: "ends in a backslash", at: text.length - 1 } };
  }
  return { script, syntax: "complete", problem: null };
}

function endsInBackslash(text: string): boolean {
  let slashes = 0;
  while (text[text.length - 1 - slashes] === "\\") slashes += 1;
  return slashes % 2 === 1;
}

function isOpenEnded(message: string, at: number, text: string): Syntax {
  if (message.startsWith("unterminated")) return "incomplete";
  const atEnd = text.slice(at).trim() === "";
  return atEnd && message.startsWith("expected") ? "incomplete" : "invalid";
}

/** A rough nesting depth of brackets: enough to refuse what would be slow to parse. */
export function nestingOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x28 || code === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (code === 0x29 || code === 0x7d) depth = Math.max(0, depth - 1);
  }
  return deepest;
}
