/**
 * Brace expansion of a word's source text, before all other expansions, as in bash.
 * Quotes and nested braces are respected; `{1..3}` and `{a..c}` are sequences.
 */
const MAX_WORDS = 256;

export function expandBraces(source: string): string[] {
  const found = findBraces(source);
  if (found === null) return [source];

  const words: string[] = [];
  for (const middle of found.alternatives) {
    for (const tail of expandBraces(source.slice(found.end))) {
      for (const inner of expandBraces(middle)) {
        words.push(source.slice(0, found.start) + inner + tail);
        if (words.length >= MAX_WORDS) return words;
      }
    }
  }
  return words;
}

/** With more words than this, people cannot review the result, and the shell may run out of memory. */
const MAX_COUNT = 100_000;

/** Whether the dropped words could matter: other texts, or so many numbers that they exhaust memory. */
export function losesWords(source: string): boolean {
  const { count, hasTexts } = measure(source);
  return count > MAX_COUNT || (hasTexts && count >= MAX_WORDS);
}

function measure(source: string): { count: number; hasTexts: boolean } {
  const found = findBraces(source);
  if (found === null) return { count: 1, hasTexts: false };
  const rest = measure(source.slice(found.end));
  if (found.length !== null) return { count: found.length * rest.count, hasTexts: rest.hasTexts };
  const inner = found.alternatives.reduce((sum, part) => sum + measure(part).count, 0);
  return { count: inner * rest.count, hasTexts: true };
}

interface Braces {
  start: number;
  end: number;
  alternatives: string[];
  /** The length of a sequence, of which only the first items are listed. */
  length: number | null;
}

function findBraces(source: string): Braces | null {
  for (let at = 0; at < source.length; at += 1) {
    at = skipQuoted(source, at);
    if (source[at] !== "{" || source[at - 1] === "$") continue;
    const parsed = readAlternatives(source, at);
    if (parsed !== null) return parsed;
  }
  return null;
}

function readAlternatives(source: string, start: number): Braces | null {
  const alternatives: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < source.length; at += 1) {
    at = skipQuoted(source, at);
    const char = source[at];
    if (char === "{") depth += 1;
    else if (char === "," && depth === 1) {
      alternatives.push(source.slice(from, at));
      from = at + 1;
    } else if (char === "}") {
      depth -= 1;
      if (depth > 0) continue;
      const last = source.slice(from, at);
      if (alternatives.length > 0) return { start, end: at + 1, alternatives: [...alternatives, last], length: null };
      const counted = sequence(last);
      return counted === null ? null : { start, end: at + 1, alternatives: counted.items, length: counted.length };
    }
  }
  return null;
}

function sequence(body: string): { items: string[]; length: number } | null {
  const match = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?$/.exec(body);
  if (match === null) return null;
  const [, first = "", last = "", by = "1"] = match;
  const isNumber = /\d/.test(first) && /\d/.test(last);
  const from = isNumber ? Number(first) : first.charCodeAt(0);
  const to = isNumber ? Number(last) : last.charCodeAt(0);
  const step = Math.max(1, Math.abs(Number(by)));
  const items: string[] = [];
  for (let value = from; from <= to ? value <= to : value >= to; value += from <= to ? step : -step) {
    items.push(isNumber ? String(value) : String.fromCharCode(value));
    if (items.length >= MAX_WORDS) break;
  }
  return { items, length: Math.floor(Math.abs(to - from) / step) + 1 };
}

/** The index of the next character outside quotes. */
function skipQuoted(source: string, at: number): number {
  const char = source[at];
  if (char === "\\") return at + 2;
  if (char !== "'" && char !== '"') return at;
  let end = at + 1;
  while (end < source.length && source[end] !== char) end += char === '"' && source[end] === "\\" ? 2 : 1;
  return end + 1;
}
