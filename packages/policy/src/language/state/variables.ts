import { judgeTableEntry } from "../commands/zsh-builtins.ts";
import type { Shell } from "../grammar/shell.ts";
import { isOwnName, judgeEnvironment } from "./env-hooks.ts";
import { field, HOLE, has, isKnown, scalar, TAINT, type Value } from "./values.ts";

/** How a variable is set, besides its value. */
export interface Setting {
  /** `a[i]=…`: the text in the brackets. */
  readonly index?: string;
  readonly isAppended?: boolean;
  /** Whether it is exported. */
  readonly isExported?: boolean;
}

/**
 * Sets a variable. Every way in which a shell can do this goes through here (assignments, `read`, `printf -v`, `for`,
 * `${x:=…}`, arithmetic, `exec {fd}>`, …), because each of them can change which code later programs load.
 */
export function setVariable(shell: Shell, written: string, value: Value, setting: Setting = {}): void {
  // A reference without a target takes its first value as the target, and a loop sets a new one in each round.
  if (shell.state.references.has(written)) for (const item of value.items) evaluateSubscript(shell, item);
  const { name, index } = targetOf(shell, written, setting.index);
  if (index !== undefined) shell.evaluate(index);
  if (!isKnown(name)) {
    shell.note("startup-variable", "a variable whose name is not known", value.taint);
    return;
  }
  const before = shell.state.variables.get(name);
  const isInteger = before?.isInteger ?? value.isInteger ?? (INTEGERS.has(name) ? true : undefined);
  if (isInteger)
    for (const item of value.items) {
      // `declare -i n=$(cat f)` evaluates that text, including subscripts.
      if (item.includes(HOLE) && has(value.taint, TAINT.data | TAINT.name))
        shell.note("arithmetic-on-data", name, value.taint);
      shell.evaluate(item);
    }
  const combined = combine(before, value, index, setting.isAppended ?? false);
  const isExported = setting.isExported || before?.isExported || shell.state.exportsAll;
  shell.state.variables.set(name, {
    ...combined,
    ...(isInteger && { isInteger }),
    ...(isExported && { isExported }),
  });
  if (index !== undefined) judgeTableEntry(shell, name, field(value.items.join(" "), value.taint));
  const judged = isInteger
    ? field(HOLE, combined.taint)
    : field(combined.items.join(combined.isArray ? "\n" : " "), combined.taint);
  judgeEnvironment(shell, new Map([[name, judged]]), { isExported: isExported ?? false });
}

/** Variables of the shell itself whose values it evaluates as arithmetic. */
const INTEGERS = new Set(["OPTIND", "RANDOM", "SECONDS", "SRANDOM", "LINENO", "HISTCMD", "BASHPID", "MAILCHECK"]);

/** Makes one name refer to another: `declare -n`, `typeset -n`; without a target until one is assigned. */
export function setReference(shell: Shell, name: string, target: string, taint: number): void {
  noteOwnName(shell, name);
  noteOwnName(shell, target);
  if (!isKnown(target)) shell.note("startup-variable", name, taint);
  evaluateSubscript(shell, target);
  shell.state.references.set(name, target === "" ? name : target);
}

/** `a[$(cmd)]`: any later use of the reference runs it. */
function evaluateSubscript(shell: Shell, target: string): void {
  if (!isKnown(target)) shell.note("arithmetic-on-data", "the target of a reference");
  else if (target.includes("[")) shell.evaluate(target);
}

/** Removes a variable, or its target. */
export function unsetVariable(shell: Shell, written: string): void {
  noteOwnName(shell, written);
  const { name, index } = targetOf(shell, written, undefined);
  if (index !== undefined) shell.evaluate(index);
  noteOwnName(shell, name);
  shell.state.variables.delete(name);
}

/** Agents must not set Belay's own variables: its hooks would run the agent's text, or reveal their nonce. */
export function noteOwnName(shell: Shell, name: string): void {
  if (isOwnName(name)) shell.note("own-name", name);
}

const MAX_REFERENCES = 8;

/** `r` after `declare -n r=PATH` is PATH, and `a[0]` is an item of `a`. */
function targetOf(
  shell: Shell,
  written: string,
  given: string | undefined,
): { name: string; index: string | undefined } {
  let name = written;
  let index = given;
  for (let hops = 0; hops <= MAX_REFERENCES; hops += 1) {
    const bracket = name.indexOf("[");
    if (bracket > 0) {
      index ??= name.slice(bracket + 1).replace(/\]$/, "");
      name = name.slice(0, bracket);
    }
    const next = shell.state.references.get(name);
    if (next === undefined || next === name) return { name, index };
    name = next;
  }
  return { name: HOLE, index };
}

const MAX_INDEX = 1_000;

function combine(before: Value | undefined, value: Value, index: string | undefined, isAppended: boolean): Value {
  if (index !== undefined) {
    const at = Number(index);
    const items = [...(before?.items ?? [])];
    if (!Number.isInteger(at) || at < 0 || at > MAX_INDEX) {
      // If the index is a name or an expression, any of the items may have changed.
      const taint = value.taint | (before?.taint ?? 0) | TAINT.data;
      return { items: [...items, ...value.items].slice(0, MAX_INDEX), isArray: true, taint, isUnordered: true };
    }
    while (items.length < at) items.push("");
    items[at] = isAppended ? (items[at] ?? "") + (value.items[0] ?? "") : (value.items[0] ?? "");
    return {
      items,
      isArray: true,
      taint: value.taint | (before?.taint ?? 0),
      ...(before?.isUnordered && { isUnordered: true as const }),
    };
  }
  if (!isAppended || before === undefined) return value;
  const taint = before.taint | value.taint;
  if (before.isArray)
    return {
      items: [...before.items, ...value.items],
      isArray: true,
      taint,
      ...(before.isUnordered && { isUnordered: true as const }),
    };
  return scalar((before.items[0] ?? "") + (value.items[0] ?? ""), taint);
}
