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

/** Letters that are written from right to left, and would turn around the operators and numbers between them. */
const RIGHT_TO_LEFT = /([\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+)/u;

/** Splits a text so that words of right-to-left scripts can be shown each by itself, in the order in which a shell reads them. */
export function inOrder(text: string): { text: string; isRightToLeft: boolean }[] {
  const words = text.split(RIGHT_TO_LEFT).map((part, index) => ({ text: part, isRightToLeft: index % 2 === 1 }));
  return words.length === 1 ? words : words.filter(({ text: part }) => part !== "");
}

/** Control keys with a familiar notation: `^C`. */
function controlName(character: string): string | null {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x20 ? `^${String.fromCharCode(code + 0x40)}` : null;
}
