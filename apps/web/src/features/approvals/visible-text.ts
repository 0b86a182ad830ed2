/** A piece of a command: plain, underlined because a rule fired on it, or a character that would not be seen. */
export interface Piece {
  text: string;
  isRisky: boolean;
  isHidden: boolean;
}

// Controls, zero-width and bidirectional characters: what a reader would not see, or would see in another order.
const HIDDEN = /[\p{Cc}\p{Cf}\u{2028}\u{2029}\u{3164}\u{ffa0}]/u;

/** Splits a command into pieces, so that nothing in it can hide and what is risky stands out. */
export function piecesOf(text: string, spans: readonly ({ start: number; end: number } | null)[]): Piece[] {
  const pieces: Piece[] = [];
  let offset = 0;
  for (const character of text) {
    const at = offset;
    offset += character.length;
    const isHidden = character !== "\n" && HIDDEN.test(character);
    const isRisky = spans.some((span) => span !== null && at >= span.start && at < span.end);
    const shown = isHidden ? nameOf(character) : character;
    const last = pieces.at(-1);
    if (last && last.isRisky === isRisky && last.isHidden === isHidden) last.text += shown;
    else pieces.push({ text: shown, isRisky, isHidden });
  }
  return pieces;
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`;
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}
