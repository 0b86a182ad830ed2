import type { CommandNode, CompoundList } from "unbash";
import type { JudgeContext } from "../../context.ts";
import { type Dialect, dialectOf } from "../grammar/dialects.ts";
import type { Hidden } from "./locals.ts";
import { emptyMemory, type ShellMemory } from "./memory.ts";
import { type Field, field, HOLE, hasGlob, scalar, TAINT, type Value } from "./values.ts";
import { WrittenFiles } from "./written-files.ts";

export interface ShellFunction {
  /** The text of the whole definition, for the memory. */
  readonly definition: string;
  readonly body: CommandNode | CompoundList;
  /** The source of positions in the body, and the span of the definition in the judged text. */
  readonly frame: Frame;
  /** Defined by an earlier command of the same terminal. */
  readonly isRecalled: boolean;
  /** False if the definition may not have run. */
  readonly isCertain: boolean;
}

/** The text that node positions refer to, and the span to report if that is not the judged text itself. */
export interface Frame {
  readonly source: string;
  readonly span: { start: number; end: number } | null;
}

/** The state of a shell. Subshells and pipelines work on copies. */
export class ShellState {
  variables = new Map<string, Value>();
  /** `declare -n`: a name that refers to another. */
  references = new Map<string, string>();
  functions = new Map<string, ShellFunction>();
  /** The local variables of the running function, and what they hide; null outside functions. */
  locals: Map<string, Hidden> | null = null;
  /** What functions that still run gave variables of the script with `declare -g`. */
  globals = new Map<string, Value>();
  aliases = new Map<string, string>();
  /** Defined in this text: bash reads the whole line before they take effect, so both meanings are possible. */
  newAliases = new Set<string>();
  files = new WrittenFiles({});
  /** Links that were made, and their targets. Like files, they are visible to all shells. */
  links = new Map<string, string>();
  cwd: string | null;
  hasMoved = false;
  /** The dialect in which the text is parsed. */
  dialect: Dialect = "bash";
  /** `set -a`: every assignment is exported. */
  exportsAll = false;
  /** `set -x`: every command is printed with its values before it runs. */
  isTraced = false;
  /** `$1` and on; null if unknown. */
  positional: readonly Field[] | null = null;

  constructor(cwd: string | null) {
    this.cwd = cwd;
  }

  copy(): ShellState {
    const copy = new ShellState(this.cwd);
    copy.variables = new Map(this.variables);
    copy.references = new Map(this.references);
    copy.functions = new Map(this.functions);
    copy.locals = this.locals === null ? null : new Map(this.locals);
    copy.globals = new Map(this.globals);
    copy.aliases = new Map(this.aliases);
    copy.newAliases = new Set(this.newAliases);
    // Shared on purpose: a file that a subshell wrote is visible to all.
    copy.files = this.files;
    copy.links = this.links;
    copy.hasMoved = this.hasMoved;
    copy.exportsAll = this.exportsAll;
    copy.isTraced = this.isTraced;
    copy.dialect = this.dialect;
    copy.positional = this.positional;
    return copy;
  }

  /** Whether everything that affects later commands is the same as in an earlier copy. */
  isSettledSince(before: ShellState): boolean {
    return (
      this.cwd === before.cwd &&
      this.positional === before.positional &&
      this.aliases.size === before.aliases.size &&
      this.functions.size === before.functions.size &&
      [...this.functions].every(([name, body]) => before.functions.get(name)?.definition === body.definition) &&
      this.#changedSince(before).length === 0
    );
  }

  /** Marks everything that changed since an earlier copy as unknown. */
  forgetChangesSince(before: ShellState): void {
    for (const name of this.#changedSince(before)) {
      const value = this.variables.get(name);
      this.variables.set(name, { ...scalar(HOLE, (value?.taint ?? 0) | TAINT.data), ...attributesOf(value) });
    }
    if (this.cwd !== before.cwd) this.cwd = null;
    if (this.positional !== before.positional) this.positional = null;
  }

  #changedSince(before: ShellState): string[] {
    const changed: string[] = [];
    for (const [name, value] of this.variables) {
      const old = before.variables.get(name);
      if (old === undefined || !isSameValue(old, value)) changed.push(name);
    }
    return changed;
  }

  /**
   * Merges in the state after a part that may or may not have run. A variable keeps every possible value. A function
   * that may not exist is both called and looked up as a program. Nothing that was seen is dropped.
   */
  mergeBranch(branch: ShellState): void {
    for (const [name, value] of branch.variables) {
      const mine = this.variables.get(name);
      if (mine !== value) this.variables.set(name, eitherValue(mine, value));
    }
    for (const [name, value] of this.variables) {
      if (!branch.variables.has(name)) this.variables.set(name, { ...value, taint: value.taint | TAINT.unset });
    }
    for (const [name, target] of branch.references) this.references.set(name, target);
    for (const [name, hidden] of branch.locals ?? []) {
      if (!this.locals?.has(name)) this.locals?.set(name, { ...hidden, isCertain: false });
    }
    for (const [name, value] of branch.globals) this.globals.set(name, eitherValue(this.globals.get(name), value));
    for (const [name, body] of branch.functions) {
      if (this.functions.get(name) !== body) this.functions.set(name, { ...body, isCertain: false });
    }
    for (const [name, text] of branch.aliases) this.aliases.set(name, text);
    for (const name of branch.newAliases) this.newAliases.add(name);
    if (branch.positional !== this.positional) {
      // It is one of two lists, so it counts as unknown.
      this.positional =
        this.positional === null
          ? (branch.positional?.map(({ text, taint }) => field(text, taint | TAINT.unset)) ?? null)
          : null;
    }
    // A part that changes the folder is assumed to have run, because that is its purpose.
    this.cwd = branch.cwd;
    this.hasMoved ||= branch.hasMoved;
    this.exportsAll ||= branch.exportsAll;
    this.isTraced ||= branch.isTraced;
  }
}

/** Whether two values are indistinguishable for readers of the variable. */
export function isSameValue(one: Value, other: Value): boolean {
  if (one === other) return true;
  return (
    one.taint === other.taint &&
    one.isArray === other.isArray &&
    one.isInteger === other.isInteger &&
    one.isExported === other.isExported &&
    one.items.length === other.items.length &&
    one.items.every((item, at) => item === other.items[at]) &&
    (one.others ?? []).join("\0") === (other.others ?? []).join("\0")
  );
}

const MAX_ALTERNATIVES = 4;

export function eitherValue(before: Value | undefined, after: Value): Value {
  if (before === undefined) return { ...after, taint: after.taint | TAINT.unset };
  if (isSameValue(before, after)) return before;
  const taint = before.taint | after.taint;
  // `true && declare -i n`: an attribute that only one of them has may still apply.
  const attributes = { ...attributesOf(before), ...attributesOf(after) };
  if (before.isArray || after.isArray) {
    const items = [...new Set([...after.items, ...before.items])].slice(0, MAX_REMEMBERED);
    return { items, isArray: true, taint: taint | TAINT.unset, isUnordered: true, ...attributes };
  }
  const main = after.items[0] ?? "";
  const all = new Set([...(before.others ?? []), ...(after.others ?? []), ...before.items]);
  all.delete(main);
  const others = [...all];
  if (others.length > MAX_ALTERNATIVES) return { ...scalar(HOLE, taint | TAINT.data), ...attributes };
  return { ...after, taint, others, ...attributes };
}

/** The attributes that `declare` gave a variable. */
function attributesOf(value: Value | undefined): Pick<Value, "isInteger" | "isExported"> {
  return { ...(value?.isInteger && { isInteger: true }), ...(value?.isExported && { isExported: true }) };
}

/** The most that a terminal remembers, so that it can be stored with every command. */
const MAX_REMEMBERED = 100;
const MAX_REMEMBERED_NAMES = 2_000;
const MAX_REMEMBERED_TEXT = 4_000;
const MAX_LINKS = 500;

export function stateFromMemory(memory: ShellMemory, context: JudgeContext): ShellState {
  const state = new ShellState(memory.hasMoved ? memory.cwd : context.cwd);
  state.dialect = dialectOf(context.shell);
  state.hasMoved = memory.hasMoved;
  state.exportsAll = memory.exportsAll;
  state.isTraced = memory.isTraced;
  for (const [name, value] of Object.entries(memory.variables)) state.variables.set(name, value);
  for (const [name, text] of Object.entries(context.env)) state.variables.set(name, scalar(text));
  for (const [name, text] of Object.entries(memory.aliases)) state.aliases.set(name, text);
  for (const [name, target] of Object.entries(memory.references ?? {})) state.references.set(name, target);
  state.files = new WrittenFiles(memory.files);
  for (const [path, target] of Object.entries(memory.links)) state.links.set(path, target);
  state.positional = memory.positional?.map((text) => field(text)) ?? null;
  return state;
}

export function memoryFromState(state: ShellState): ShellMemory {
  const isUntouched =
    state.variables.size + state.references.size + state.functions.size + state.aliases.size + state.links.size === 0 &&
    state.files.isEmpty;
  if (isUntouched && !state.hasMoved && state.positional === null && !state.exportsAll && !state.isTraced)
    return emptyMemory;
  const variables = rememberedVariables(state.variables);
  const functions = last(state.functions).map(([name, { definition }]) => [name, definition] as const);
  return {
    variables: Object.fromEntries(variables),
    functions: Object.fromEntries(functions.filter(([, text]) => text.length <= MAX_REMEMBERED_TEXT)),
    aliases: Object.fromEntries(last(state.aliases)),
    ...(state.references.size > 0 && { references: Object.fromEntries(last(state.references)) }),
    links: Object.fromEntries([...state.links].slice(-MAX_LINKS)),
    exportsAll: state.exportsAll,
    isTraced: state.isTraced,
    // Which of several folders it was is known only after the command ran.
    cwd: state.hasMoved && state.cwd !== null && !hasGlob(state.cwd) ? state.cwd : null,
    hasMoved: state.hasMoved,
    positional: state.positional?.map(({ text }) => text) ?? null,
    files: state.files.toMemory(),
  };
}

/** The newest variables keep their values. Of older and longer ones only the name is kept. */
function rememberedVariables(variables: ReadonlyMap<string, Value>): [string, Value][] {
  const all = [...variables].slice(-MAX_REMEMBERED_NAMES);
  const firstWithValue = all.length - MAX_REMEMBERED;
  return all.map(([name, value], at) => {
    const isKept = at >= firstWithValue && value.items.join("").length <= MAX_REMEMBERED_TEXT;
    return [name, isKept ? value : { ...value, items: [HOLE], taint: value.taint | TAINT.data, others: [] }];
  });
}

function last<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].slice(-MAX_REMEMBERED);
}
