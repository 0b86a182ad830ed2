// Imported by its own entry point, because the schemas beside it would be loaded by every page.
import { hiddenCharacters } from "@belay/protocol/hidden-characters";

/** A piece of a command: plain, underlined because a rule fired on it, or a character that is normally invisible. */
export interface Piece {
  text: string;
  isRisky: boolean;
  isHidden: boolean;
}

/** Splits a command into pieces, so that nothing in it is hidden and risky parts are marked. */
export function piecesOf(text: string, spans: readonly ({ start: number; end: number } | null)[]): Piece[] {
  const pieces: Piece[] = [];
  const hidden = hiddenCharacters(text);
  let offset = 0;
  for (const character of text) {
    const at = offset;
    offset += character.length;
    const name = hidden.get(at);
    const isHidden = name !== undefined;
    const isRisky = spans.some((span) => span !== null && at >= span.start && at < span.end);
    const shown = name === undefined ? character : (controlName(character) ?? name);
    const last = pieces.at(-1);
    if (last && last.isRisky === isRisky && last.isHidden === isHidden) last.text += shown;
    else pieces.push({ text: shown, isRisky, isHidden });
  }
  return pieces;
}

/** The text on one line, with invisible characters named. */
export function visibleText(text: string): string {
  return piecesOf(text, [])
    .map((piece) => piece.text)
    .join("");
}

/** Control keys with a familiar notation: `^C`. */
function controlName(character: string): string | null {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x20 ? `^${String.fromCharCode(code + 0x40)}` : null;
}
