import { changeValue, readValues } from "./draft-text.ts";

type Path = readonly string[];

/** A place that both sides changed, each in its own way. */
export interface Conflict {
  path: Path;
  base: unknown;
  theirs: unknown;
  mine: unknown;
}

export interface Merged {
  /** The draft with everything that only the other side changed; its comments and its order stay. */
  text: string;
  /** The paths that came from the other side. */
  taken: Path[];
  conflicts: Conflict[];
}

interface Sides {
  base: unknown;
  theirs: unknown;
  mine: unknown;
}

/**
 * Brings a draft up to the version in force, setting by setting. Rules are told apart by their ids, and a list of
 * words is a set: two people who each add one have both. Null if one of the texts is no JSON.
 */
export function mergeDrafts(texts: { base: string; theirs: string; mine: string }): Merged | null {
  const [base, theirs, mine] = [readValues(texts.base), readValues(texts.theirs), readValues(texts.mine)];
  if (base === null || theirs === null || mine === null) return null;
  const merged: Merged = { text: texts.mine, taken: [], conflicts: [] };
  mergeAt({ base, theirs, mine }, [], merged);
  return merged;
}

/** Puts a value where a conflict was. */
export function settleConflict(text: string, { path }: Conflict, value: unknown): string {
  return setAt(text, path, value);
}

function mergeAt(sides: Sides, path: Path, merged: Merged): void {
  const { base, theirs, mine } = sides;
  if (isEqual(theirs, mine) || isEqual(theirs, base)) return;
  if (isEqual(mine, base)) {
    merged.text = setAt(merged.text, path, theirs);
    merged.taken.push(path);
    return;
  }
  const parts = partsOf(sides);
  if (parts === null) {
    merged.conflicts.push({ path, ...sides });
    return;
  }
  for (const key of new Set([...parts.mine.keys(), ...parts.theirs.keys(), ...parts.base.keys()]))
    mergeAt(
      { base: parts.base.get(key), theirs: parts.theirs.get(key), mine: parts.mine.get(key) },
      [...path, key],
      merged,
    );
}

/** The parts of each side, if both consist of parts that can be told apart. */
function partsOf({ base, theirs, mine }: Sides) {
  for (const read of [readObject, readRules, readWords]) {
    const [fromTheirs, fromMine] = [read(theirs), read(mine)];
    if (fromTheirs && fromMine) return { base: read(base) ?? new Map(), theirs: fromTheirs, mine: fromMine };
  }
  return null;
}

type Parts = Map<string, unknown>;

function readObject(value: unknown): Parts | null {
  return isObject(value) ? new Map(Object.entries(value)) : null;
}

function readRules(value: unknown): Parts | null {
  if (!Array.isArray(value) || !value.every(hasId)) return null;
  const rules = new Map<string, unknown>(value.map((rule) => [rule.id, rule]));
  return rules.size === value.length ? rules : null;
}

function readWords(value: unknown): Parts | null {
  return Array.isArray(value) && value.every((each) => typeof each === "string")
    ? new Map(value.map((word) => [word, true]))
    : null;
}

/** Undefined removes it. */
function setAt(text: string, path: Path, value: unknown): string {
  const real: (string | number)[] = [];
  let at: unknown = readValues(text);
  for (const key of path) {
    if (Array.isArray(at)) {
      const found = at.findIndex((each) => (hasId(each) ? each.id : each) === key);
      if (found < 0 && value === undefined) return text;
      real.push(found < 0 ? at.length : found);
      // In a list of words, the part is the word itself.
      if (typeof at[found] === "string" || (found < 0 && value === true))
        return changeValue(text, real, value === undefined ? undefined : key);
      at = at[found];
    } else {
      real.push(key);
      at = isObject(at) ? at[key] : undefined;
    }
  }
  return changeValue(text, real, value);
}

function hasId(value: unknown): value is { id: string } {
  return isObject(value) && typeof value.id === "string";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The order of keys does not count. */
function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
