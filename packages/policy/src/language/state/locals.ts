import type { ShellState } from "./state.ts";
import type { Value } from "./values.ts";

/** What a name meant before a function declared it as a local variable. */
export interface Hidden {
  readonly value: Value | undefined;
  readonly reference: string | undefined;
  /** False if the declaration may not have run. */
  readonly isCertain: boolean;
}

/** Whether this builtin declares a local variable. */
export function declaresLocal({ dialect }: ShellState, builtin: string, flags: string): boolean {
  if (flags.includes("g")) return false;
  if (builtin === "readonly") return dialect === "zsh";
  return ["local", "declare", "typeset", "integer", "float"].includes(builtin);
}

/** Hides the caller's variable until the function returns. The new one has no value yet. */
export function makeLocal(state: ShellState, name: string): void {
  if (state.locals === null || state.locals.has(name)) return;
  state.locals.set(name, {
    value: state.variables.get(name),
    reference: state.references.get(name),
    isCertain: true,
  });
  state.variables.delete(name);
  state.references.delete(name);
}

/** The function returns: its local variables are gone, and those of the caller are visible again. */
export function dropLocals(state: ShellState, either: (before: Value | undefined, after: Value) => Value): void {
  for (const [name, { value, reference, isCertain }] of state.locals ?? []) {
    const inner = state.variables.get(name);
    const set = state.globals.get(name);
    const kept = isCertain || inner === undefined ? value : either(value, inner);
    // The variable that was hidden is that of the script, or that of a caller, which keeps its value.
    const outer = set === undefined ? kept : either(kept, set);
    if (outer === undefined) state.variables.delete(name);
    else state.variables.set(name, outer);
    if (reference !== undefined) state.references.set(name, reference);
    else if (isCertain) state.references.delete(name);
  }
}
