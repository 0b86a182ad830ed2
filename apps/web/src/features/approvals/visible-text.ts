/** A piece of a command: plain, underlined because a rule fired on it, or a character that would not be seen. */
export interface Piece {
  text: string;
  isRisky: boolean;
  isHidden: boolean;
}

// Controls, zero-width, bidirectional and private characters, and spaces that are none: what a reader would not see,
// or would see in another order.
const HIDDEN = /\p{Cc}|\p{Cf}|\p{Co}|\p{Cn}|\p{Zl}|\p{Zp}|(?! )\p{Zs}|\p{Default_Ignorable_Code_Point}|\ufffd/u;

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

/** The text on one line, with everything named that would not be seen. */
export function visibleText(text: string): string {
  return piecesOf(text, [])
    .map((piece) => piece.text)
    .join("");
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`;
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}
