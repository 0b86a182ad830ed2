/**
 * Characters that show a person something other than what a shell reads. The console, the command line and the policy
 * all use this file, so that they agree.
 */

/** Invisible, reordering or blank: controls, zero-width, bidirectional and private-use characters. */
export const INVISIBLE =
  /\p{Cc}|\p{Cf}|\p{Co}|\p{Cn}|\p{Cs}|\p{Zl}|\p{Zp}|(?! )\p{Zs}|\p{Default_Ignorable_Code_Point}|[\u2800\ufffd\u{1d159}]/u;
/** Latin letters in another form: full width, mathematical, circled. */
const DRESSED_UP = /[\uff01-\uff5e\u{1d400}-\u{1d7ff}\u2460-\u24ff\u{1f100}-\u{1f1e5}]/u;
/** Characters that look like `;`, `/`, `|`, `:`, `.`, `\` and `*`. */
const OPERATOR_TWIN =
  /[\u037e\u2044\u2215\u29f8\u2223\u01c0\u05c3\ua789\u2024\u2216\u29f5\u2217\u204e\u066d\ufe52\ufe55\ufe54\ufe68]/u;
const LATIN = /\p{Script=Latin}/u;
/** Alphabets with letters that look like Latin ones. */
const LOOK_ALIKE =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\u0131\u0251\u0261\u1d00-\u1d7f]/u;
/** Letters of those alphabets that look exactly like Latin ones. A word made only of these reads as another word. */
const TWIN_WORD = /^[-\d._аеорсухіјѕԁһӏԛԝъьАВЕКМНОРСТУХІЈЅονΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]+$/u;
const WORD_BREAK = /[\s'"`=/:;|&<>()[\]{},.$@]/;
/** Joiners and variation selectors of emoji. */
const EMOJI_SEQUENCE =
  /(\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}\ufe0f]*)(\u200d\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}\ufe0f]*)+|\p{Extended_Pictographic}\ufe0f/gu;

const PLAIN = /^[\n\t\r -~]*$/;

export type CharacterProblem = "invisible-characters" | "mixed-scripts";

/** Why a text looks like another one; null for ordinary text in any language. Line breaks and tabs are ordinary. */
export function characterProblem(text: string): CharacterProblem | null {
  if (PLAIN.test(text)) return null;
  const shown = text.replace(EMOJI_SEQUENCE, "x").replace(/[\n\t\r]/g, " ");
  if (INVISIBLE.test(shown)) return "invisible-characters";
  if (DRESSED_UP.test(shown) || OPERATOR_TWIN.test(shown)) return "mixed-scripts";
  return wordsOf(shown).some(({ word }) => LOOK_ALIKE.test(word) && LATIN.test(word)) ? "mixed-scripts" : null;
}

/** The offsets of deceptive characters in a text, with their names: `<U+202E>`. Line breaks are left out. */
export function hiddenCharacters(text: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  if (/^[\n -~]*$/.test(text)) return found;
  for (const { word, at } of wordsOf(text)) {
    const isMixed = LOOK_ALIKE.test(word) && (LATIN.test(word) || TWIN_WORD.test(word));
    let offset = at;
    for (const character of word) {
      const isTwin = isMixed && LOOK_ALIKE.test(character);
      if (isTwin || deceives(character)) found.set(offset, nameOf(character));
      offset += character.length;
    }
  }
  return found;
}

/** A text in which every invisible, reordering or lookalike character is replaced by its name. Line breaks and tabs stay. */
export function showHidden(text: string): string {
  const hidden = hiddenCharacters(text);
  if (hidden.size === 0) return text;
  let shown = "";
  let offset = 0;
  for (const character of text) {
    shown += character === "\t" ? character : (hidden.get(offset) ?? character);
    offset += character.length;
  }
  return shown;
}

function deceives(character: string): boolean {
  if (character === "\n") return false;
  return INVISIBLE.test(character) || DRESSED_UP.test(character) || OPERATOR_TWIN.test(character);
}

function nameOf(character: string): string {
  return `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`;
}

/** The words of a text, and each separator between them. */
function wordsOf(text: string): { word: string; at: number }[] {
  const words: { word: string; at: number }[] = [];
  let from = 0;
  for (let at = 0; at <= text.length; at += 1) {
    if (at < text.length && !WORD_BREAK.test(text.charAt(at))) continue;
    if (at > from) words.push({ word: text.slice(from, at), at: from });
    if (at < text.length) words.push({ word: text.charAt(at), at });
    from = at + 1;
  }
  return words;
}
