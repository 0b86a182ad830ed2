import { RE2JS, RE2Set } from "re2js";

/**
 * Regexes that come from outside. RE2 only: it runs in time linear in the text,
 * so neither a file nor an agent can make judging hang.
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
