/** Zero-width, direction-changing, private and other characters that are not what they look like. */
const INVISIBLE = /\p{Cf}|\p{Co}|\p{Cn}|\p{Zl}|\p{Zp}|(?! )\p{Zs}|\p{Default_Ignorable_Code_Point}|\ufffd/u;
/** Joiners and selectors that belong to an emoji. */
const EMOJI_SEQUENCE =
  /(\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}\ufe0f]*)(\u200d\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}\ufe0f]*)+|\p{Extended_Pictographic}\ufe0f/gu;
/** Latin letters in another shape. */
const DRESSED_UP = /[\uff01-\uff5e\u{1d400}-\u{1d7ff}\u2460-\u24ff\u{1f100}-\u{1f1e5}]/u;
const LATIN = /\p{Script=Latin}/u;
/** Alphabets with letters that look like Latin ones. */
const LOOK_ALIKE =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\u0131\u0251\u0261\u1d00-\u1d7f]/u;

const ASCII = /^[\n\t\r -~]*$/;

export type CharacterProblem = "invisible-characters" | "mixed-scripts";

/** Characters that show a person something other than what the shell gets. */
export function characterProblem(text: string): CharacterProblem | null {
  if (ASCII.test(text)) return null;
  const plain = text.replace(EMOJI_SEQUENCE, "x");
  if (INVISIBLE.test(plain)) return "invisible-characters";
  if (DRESSED_UP.test(plain)) return "mixed-scripts";
  const isMixed = plain.split(/[\s'"`=/:;|&<>()[\]{},.]+/).some((word) => LOOK_ALIKE.test(word) && LATIN.test(word));
  return isMixed ? "mixed-scripts" : null;
}

/** The text with everything that would hide or reorder it made visible: `<U+202E>`. */
export function showHidden(text: string): string {
  let shown = "";
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    const isHidden =
      INVISIBLE.test(char) ||
      DRESSED_UP.test(char) ||
      (code < 0x20 && char !== "\n" && char !== "\t") ||
      (code >= 0x7f && code <= 0x9f);
    shown += isHidden ? `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>` : char;
  }
  return markLookAlikes(shown);
}

/** A look-alike letter among Latin ones is named; a word that is Cyrillic throughout is only a word. */
function markLookAlikes(text: string): string {
  return text.replace(/[^\s'"]+/g, (word) => {
    if (!LATIN.test(word) || !LOOK_ALIKE.test(word)) return word;
    return [...word]
      .map((char) =>
        LOOK_ALIKE.test(char) ? `<U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>` : char,
      )
      .join("");
  });
}
