/**
 * Traces values in code of another language: whether what a source returns reaches a call.
 *
 * It follows names through assignments, loops, callbacks and the code's own functions, ignoring types and order. Only a
 * proven flow counts, because it leads to a hard block. A source and a call that are unrelated stay ordinary code.
 */
export interface Flow {
  /** Whether an expression contains the source, or a name that may hold its value. */
  readonly carries: (expression: string) => boolean;
  /** Whether a matching call gets a value from the source. `calls` needs the global flag. */
  readonly reaches: (calls: RegExp) => boolean;
}

const MAX_ROUNDS = 6;
const MAX_EXPRESSION = 2_000;
/** The limit for each kind of transfer. Longer code cannot be reviewed, and asks for that reason. */
const MAX_TRANSFERS = 300;
const MAX_FUNCTIONS = 40;

export function traceFlow(code: string, source: RegExp): Flow {
  return flowsOf(code)(source);
}

/** The same for several sources: transfers are found once, and only if there is a source. */
export function flowsOf(code: string): (source: RegExp) => Flow {
  let transfers: readonly Transfer[] | null = null;
  return (source) => {
    if (!source.test(code)) return { carries: (expression) => source.test(expression), reaches: () => false };
    transfers ??= transfersIn(code);
    return follow(code, source, transfers);
  };
}

function follow(code: string, source: RegExp, transfers: readonly Transfer[]): Flow {
  const names = new Set<string>();
  const carries = (expression: string): boolean =>
    source.test(expression) || (names.size > 0 && wordsOf(expression).some((word) => names.has(word)));
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const before = names.size;
    for (const { to, from } of transfers) if (carries(from)) for (const name of to) names.add(name);
    if (names.size === before) break;
  }
  return {
    carries,
    reaches: (calls) => [...code.matchAll(calls)].some((call) => carries(givenTo(code, call))),
  };
}

/** The arguments of each matching call, and the expression before it: `p.write_text(x)`. */
export function callsIn(code: string, calls: RegExp): { readonly before: string; readonly given: readonly string[] }[] {
  return [...code.matchAll(calls)].map((call) => ({
    before: chainBefore(code, call.index),
    given: splitList(givenTo(code, call)),
  }));
}

/** Splits at commas outside brackets. */
function splitList(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if ("([{".includes(char)) depth += 1;
    else if (")]}".includes(char)) depth -= 1;
    else if (char === "," && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

/**
 * What a call is given: its arguments, or the rest of the statement if it has no parentheses. A callback is given the
 * result of the calls before it.
 */
function givenTo(code: string, { 0: text, index }: RegExpMatchArray & { index?: number }): string {
  const from = (index ?? 0) + text.length;
  const after = /^\s*\(?/.exec(code.slice(from, from + 20))?.[0] ?? "";
  if (text.endsWith("(")) return expressionFrom(code, from);
  if (after.endsWith("(")) return expressionFrom(code, from + after.length);
  // `.then(eval)`
  if (/^\s*[),]/.test(code.slice(from, from + 20))) return chainBefore(code, index ?? 0);
  return expressionFrom(code, from);
}

interface Transfer {
  readonly to: readonly string[];
  readonly from: string;
}

const ASSIGNMENT =
  /((?:[$@%]?\b\w+|[[{(][\w\s,$:]{0,200}[\])}])(?:\s*,\s*[$@%]?\w+){0,10})\s{0,5}(?:[:+.|]|\|\|)?=(?![=>~])/g;
const LOOP = /\bfor(?:each)?\b\s*\(?\s*(?:(?:const|let|var|my)\s+)?([$@\w\s,]{1,100}?)\s+(?:in|of)\s/g;
/** `open F, "x"` */
const HANDLE = /\bopen\s*\(?\s*(?:my\s+)?\$?([A-Za-z]\w*)\s*,/g;
const BOUND = /\bwith\b([^:\n]{1,500}?)\bas\s+(\w+)/g;
const RENAMED = /\b(\w+)\s+as\s+(\w+)/g;
const COLLECTED = /\b(\w+)\s*(?:\.|->)\s*(?:push|append|add|extend|concat|write|unshift)\s*\(/g;
const CALLBACK = /(?:\(([\w\s,$]{0,100})\)|\b(\w+))\s*=>|\bfunction\s*\(([\w\s,$]{0,100})\)|\|([\w\s,]{1,100})\|/g;

function transfersIn(code: string): Transfer[] {
  const found: Transfer[] = [];
  for (const form of [ASSIGNMENT, LOOP, COLLECTED, HANDLE])
    for (const match of firstOf(code, form))
      found.push({ to: wordsOf(match[1] ?? ""), from: expressionFrom(code, match.index + match[0].length) });
  for (const form of [BOUND, RENAMED])
    for (const [, from = "", to = ""] of firstOf(code, form)) found.push({ to: [to], from });
  // A callback gets the result of the calls before it: `fetch(u).then((r) => …)`.
  for (const match of firstOf(code, CALLBACK)) {
    const parameters = match.slice(1).find((group) => group !== undefined) ?? "";
    found.push({ to: wordsOf(parameters), from: chainBefore(code, match.index) });
  }
  for (const { name, parameters, body } of functionsIn(code)) {
    for (const from of argumentsOf(code, name)) found.push({ to: parameters, from });
    if (/\breturn\b/.test(body)) found.push({ to: [name], from: body });
  }
  return found;
}

function firstOf(code: string, form: RegExp) {
  return [...code.matchAll(form)].slice(0, MAX_TRANSFERS);
}

interface NamedFunction {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly body: string;
}

const NAMED_FUNCTION =
  /\b(?:def|function|sub)\s+(\w+)\s*\(([^()]{0,200})\)|\b(\w+)\s*=\s*(?:async\s*)?(?:\(([\w\s,$]{0,200})\)\s*=>|lambda\s+([\w\s,]{0,200}):)/g;

function functionsIn(code: string): NamedFunction[] {
  return firstOf(code, NAMED_FUNCTION)
    .slice(0, MAX_FUNCTIONS)
    .map((match) => ({
      name: match[1] ?? match[3] ?? "",
      parameters: wordsOf(match[2] ?? match[4] ?? match[5] ?? ""),
      body: bodyFrom(code, match.index + match[0].length),
    }));
}

/** Up to the closing bracket, or to the next line that is not indented. */
function bodyFrom(code: string, from: number): string {
  const rest = code.slice(from, from + MAX_EXPRESSION);
  const bracket = /^\s*\{/.exec(rest);
  if (bracket !== null) return expressionFrom(code, from + bracket[0].length, { isBlock: true });
  const end = rest.search(/\n\S/);
  return end < 0 ? rest : rest.slice(0, end);
}

function argumentsOf(code: string, name: string): string[] {
  if (name === "") return [];
  const calls = code.matchAll(new RegExp(String.raw`(?<!(?:def|function|sub)\s{1,5})(?<![.\w])${name}\s*\(`, "g"));
  return [...calls].map((match) => expressionFrom(code, match.index + match[0].length));
}

/** Up to the end of the statement, or to the bracket that closes an earlier one. */
function expressionFrom(code: string, from: number, { isBlock = false } = {}): string {
  let depth = 0;
  const limit = Math.min(code.length, from + MAX_EXPRESSION);
  for (let at = from; at < limit; at += 1) {
    const char = code.charAt(at);
    if ("([{".includes(char)) depth += 1;
    else if (")]}".includes(char)) {
      if (depth === 0) return code.slice(from, at);
      depth -= 1;
    } else if (depth === 0 && !isBlock && (char === ";" || char === "\n")) return code.slice(from, at);
  }
  return code.slice(from, limit);
}

/** The text before a position, back to the start of its statement. */
function chainBefore(code: string, to: number): string {
  let depth = 0;
  const limit = Math.max(0, to - MAX_EXPRESSION);
  for (let at = to - 1; at >= limit; at -= 1) {
    const char = code.charAt(at);
    if (")]}".includes(char)) depth += 1;
    else if (depth > 0 && "([{".includes(char)) depth -= 1;
    else if (
      depth === 0 &&
      (char === ";" || char === "{" || (char === "\n" && !/^\s*\./.test(code.slice(at, at + 40))))
    )
      return code.slice(at + 1, to);
  }
  return code.slice(limit, to);
}

const KEYWORDS: ReadonlySet<string> = new Set("const let var my our local async await in of".split(" "));

function wordsOf(text: string): string[] {
  return (text.match(/[A-Za-z_]\w*/g) ?? []).filter((word) => !KEYWORDS.has(word));
}
