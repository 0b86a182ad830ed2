import { editLine, isControl } from "./line-assembler.ts";

export interface TypedText {
  readonly text: string;
  readonly hasControls: boolean;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control bytes are what this looks for
const PLAIN = /^[^\u0000-\u0008\u000b-\u001f\u007f-\u009f]*$/;

/**
 * A command as the shell gets it when its bytes are typed into a terminal: CR is Enter, DEL and Ctrl-U edit.
 * Bytes whose effect depends on the foreground program are left out and reported.
 */
export function asTyped(text: string): TypedText {
  if (PLAIN.test(text)) return { text, hasControls: false };

  const withoutPastes = text.replaceAll("\u001b[200~", "").replaceAll("\u001b[201~", "");
  let done = "";
  let line: string[] = [];
  // A Windows line break is one line break, and not suspicious.
  const normalized = withoutPastes.replaceAll("\r\n", "\n");
  for (const char of normalized) {
    // Ctrl-O works like Enter in some line editors.
    if (char === "\r" || char === "\n" || char === "\u000f") {
      done += `${line.join("")}\n`;
      line = [];
    } else if (char === "\t" || !isControl(char)) line.push(char);
    else editLine(line, char);
  }
  return {
    text: done + line.join(""),
    hasControls: normalized !== text.replaceAll("\r\n", "\n") || !PLAIN.test(normalized),
  };
}

/** The text with a line break for each vertical tab and form feed, as some readers understand them. */
export function withLineBreaks(text: string): string {
  return text.replaceAll("\u000b", "\n").replaceAll("\u000c", "\n");
}
