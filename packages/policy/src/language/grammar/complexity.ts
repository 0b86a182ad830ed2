/**
 * A rough measure of how much there is to judge in a text: words, operators, quotes and expansions. It takes one linear
 * pass and skips plain data (quoted strings, here-documents). A long file written with `cat <<EOF` stays cheap, and a
 * hundred thousand small commands are refused early.
 */
export const MAX_ELEMENTS = 2_000;

const ACTIVE = new Set(";|&<>(){}$`*?[~!=");

export function countElements(text: string): number {
  let count = 0;
  let inWord = false;
  const pendingHereDocs: { delimiter: string; isQuoted: boolean }[] = [];
  for (let at = 0; at < text.length && count <= MAX_ELEMENTS; at += 1) {
    const char = text.charAt(at);
    if (char === "\\") {
      at += 1;
      if (!inWord) count += 1;
      inWord = true;
    } else if (char === "'") {
      const end = text.indexOf("'", at + 1);
      at = end < 0 ? text.length : end;
      count += 1;
      inWord = true;
    } else if (char === '"') {
      const end = endOfDoubleQuotes(text, at + 1);
      count += 1 + countExpansions(text, at, end);
      at = end;
      inWord = true;
    } else if (char === "<" && text[at + 1] === "<" && text[at + 2] !== "<") {
      const match = /^<<-?[ \t]*(['"\\]?)([^\s'"\\;|&<>()]+)/.exec(text.slice(at, at + 80));
      if (match) pendingHereDocs.push({ delimiter: match[2] ?? "", isQuoted: match[1] !== "" });
      count += 2;
      at += 1;
    } else if (char === "\n") {
      inWord = false;
      for (const { delimiter, isQuoted } of pendingHereDocs.splice(0)) {
        const end = endOfHereDoc(text, at + 1, delimiter);
        if (!isQuoted) count += countExpansions(text, at, end);
        at = end;
      }
    } else if (char === " " || char === "\t") inWord = false;
    else {
      if (!inWord || ACTIVE.has(char)) count += 1;
      inWord = true;
    }
  }
  return count;
}

function endOfDoubleQuotes(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

function countExpansions(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) if (text[at] === "$" || text[at] === "`") count += 1;
  return count;
}

/** The line break before the delimiter's line, or the end of the text. */
function endOfHereDoc(text: string, from: number, delimiter: string): number {
  for (let line = from; line < text.length; ) {
    const end = text.indexOf("\n", line);
    const stop = end < 0 ? text.length : end;
    if (text.slice(line, stop).replace(/^\t+/, "") === delimiter) return Math.max(from, line - 1);
    line = stop + 1;
  }
  return text.length;
}
