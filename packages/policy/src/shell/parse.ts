import { type ParsedScript, parse } from "unbash";

/** Larger texts are refused unread: nobody reviews 64 KB, and parsing must stay quick. */
export const MAX_TEXT_LENGTH = 64 * 1024;

export type Syntax = "complete" | "incomplete" | "invalid";

export interface ParsedText {
  readonly script: ParsedScript | null;
  readonly syntax: Syntax;
  /** What the parser said, and where. */
  readonly problem: { message: string; at: number } | null;
}

/** Parses a whole text. Never throws; nesting that the parser cannot hold is invalid. */
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
  if (/(^|[^\\])(\\\\)*\\$/.test(text)) {
    return { script, syntax: "incomplete", problem: { message: "ends in a backslash", at: text.length - 1 } };
  }
  return { script, syntax: "complete", problem: null };
}

function isOpenEnded(message: string, at: number, text: string): Syntax {
  if (message.startsWith("unterminated")) return "incomplete";
  const atEnd = text.slice(at).trim() === "";
  return atEnd && message.startsWith("expected") ? "incomplete" : "invalid";
}
