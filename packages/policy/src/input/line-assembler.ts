/**
 * Assembles what is typed into a shell, like the terminal and its line editor.
 *
 * An agent may write a line in pieces, erase parts of it, or paste it. Only the line that
 * the shell gets in the end counts. Keys that move the cursor, complete or recall history depend on
 * state that is unknown here, so they are refused, together with the whole write.
 */
export interface AssemblerState {
  readonly line: string;
  readonly isPasting: boolean;
}

export type TypedEvent =
  /** Enter was pressed: judge this before the bytes are passed on. */
  | { readonly type: "line"; readonly text: string }
  /** Ctrl-C: the line is cleared. */
  | { readonly type: "interrupt" }
  /** Ctrl-D on an empty line. */
  | { readonly type: "end-of-input" };

export type Assembled =
  | { readonly ok: true; readonly state: AssemblerState; readonly events: readonly TypedEvent[] }
  /** Nothing of this write may be passed on; the state is unchanged. */
  | { readonly ok: false; readonly reason: string; readonly at: number };

export const emptyLine: AssemblerState = { line: "", isPasting: false };

const PASTE_BEGIN = "\u001b[200~";
const PASTE_END = "\u001b[201~";
const MAX_LINE_LENGTH = 64 * 1024;

export function assembleInput(state: AssemblerState, written: string): Assembled {
  let { isPasting } = state;
  let line = [...state.line];
  const events: TypedEvent[] = [];

  for (let at = 0; at < written.length; at += 1) {
    if (written.startsWith(PASTE_BEGIN, at) && !isPasting) {
      isPasting = true;
      at += PASTE_BEGIN.length - 1;
      continue;
    }
    if (written.startsWith(PASTE_END, at) && isPasting) {
      isPasting = false;
      at += PASTE_END.length - 1;
      continue;
    }
    const char = String.fromCodePoint(written.codePointAt(at) ?? 0);
    at += char.length - 1;
    if (line.length > MAX_LINE_LENGTH) return { ok: false, reason: "The line is longer than 64 KB.", at };
    if (isPasting && isPastable(char)) {
      line.push(char === "\r" ? "\n" : char);
      continue;
    }
    switch (char) {
      case "\r":
      case "\n":
        events.push({ type: "line", text: line.join("") });
        line = [];
        continue;
      case "\u0003":
        events.push({ type: "interrupt" });
        line = [];
        continue;
      case "\u0004":
        if (line.length > 0) return { ok: false, reason: "Ctrl-D in the middle of a line cannot be judged.", at };
        events.push({ type: "end-of-input" });
        continue;
      default:
        if (!editLine(line, char))
          return { ok: false, reason: `${nameControl(char)} cannot be judged; type the whole line instead.`, at };
    }
  }
  return { ok: true, state: { line: line.join(""), isPasting }, events };
}

/** Adds one key to the end of a line, which is changed in place; false for a key of unknown effect. */
export function editLine(line: string[], key: string): boolean {
  switch (key) {
    case "\u007f":
    case "\b":
      line.pop();
      return true;
    case "\u0015":
      line.length = 0;
      return true;
    case "\u0017":
      while (isBlank(line.at(-1))) line.pop();
      while (line.length > 0 && !isBlank(line.at(-1))) line.pop();
      return true;
    default:
      if (isControl(key)) return false;
      line.push(key);
      return true;
  }
}

function isBlank(char: string | undefined): boolean {
  return char === " " || char === "\t";
}

export function nameControl(char: string): string {
  const code = char.charCodeAt(0);
  if (code === 0x1b) return "An escape sequence";
  if (code === 0x7f) return "DEL";
  if (code < 0x20) return code === 9 ? "Tab" : `Ctrl-${String.fromCharCode(code + 0x40)}`;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

export function isControl(char: string): boolean {
  const code = char.charCodeAt(0);
  return code < 0x20 || (code >= 0x7f && code <= 0x9f);
}

function isPastable(char: string): boolean {
  return !isControl(char) || char === "\n" || char === "\r" || char === "\t";
}
