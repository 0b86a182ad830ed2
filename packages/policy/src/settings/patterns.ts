import { RE2JS, RE2Set } from "re2js";

/**
 * Regular expressions from outside. They run on RE2 only, which takes linear time, so neither a file nor an agent can
 * make judging hang.
 */
export interface PatternList {
  readonly sources: readonly string[];
  /** Indexes into `sources`. */
  matching(text: string): readonly number[];
}

export type CompiledPattern = { ok: true } | { ok: false; message: string };

export function checkPattern(source: string): CompiledPattern {
  try {
    RE2JS.compile(source);
    return { ok: true };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { ok: false, message: `RE2 cannot run this pattern: ${detail}` };
  }
}

/** One automaton for the whole list, so that a hundred patterns cost about as much as one. */
export function compilePatterns(sources: readonly string[]): PatternList {
  if (sources.length === 0) return { sources, matching: () => [] };

  const set = new RE2Set();
  for (const source of sources) set.add(source);
  set.compile();
  return { sources, matching: (text) => set.match(text) };
}

/** Patterns indexed by the only program that they can match, so that patterns for other programs cost nothing. */
export interface PatternIndex {
  readonly size: number;
  /** Sources that match an invocation of this program. Its normal form is computed only if some pattern could match. */
  matching(program: string, form: () => string): readonly string[];
  /** Sources that match a text that is not a single invocation. */
  matchingAny(text: string): readonly string[];
}

/** `^name\\s…` can only match an invocation of `name`. */
const BOUND_TO_PROGRAM = /^\^([A-Za-z0-9_-]+)\\[sb]/;

export function indexPatterns(sources: readonly string[]): PatternIndex {
  const byProgram = new Map<string, string[]>();
  const unbound: string[] = [];
  for (const source of sources) {
    const program = source.includes("|") ? topLevelBound(source) : BOUND_TO_PROGRAM.exec(source)?.[1];
    if (program === undefined) unbound.push(source);
    else byProgram.set(program, [...(byProgram.get(program) ?? []), source]);
  }
  const bound = new Map([...byProgram].map(([program, own]) => [program, compilePatterns(own)]));
  const general = compilePatterns(unbound);
  const whole = compilePatterns(sources);
  const named = (list: PatternList | undefined, text: string) =>
    list?.matching(text).flatMap((index) => list.sources[index] ?? []) ?? [];
  return {
    size: sources.length,
    matching: (program, form) => {
      const own = bound.get(program);
      if (unbound.length === 0 && own === undefined) return [];
      const text = form();
      return [...named(general, text), ...named(own, text)];
    },
    matchingAny: (text) => named(whole, text),
  };
}

/** If the pattern has alternatives, the name is required only if they are in a group after it. */
function topLevelBound(source: string): string | undefined {
  let depth = 0;
  for (let at = 0; at < source.length; at += 1) {
    if (source[at] === "\\") at += 1;
    else if (source[at] === "(") depth += 1;
    else if (source[at] === ")") depth -= 1;
    else if (source[at] === "|" && depth === 0) return undefined;
  }
  return BOUND_TO_PROGRAM.exec(source)?.[1];
}
