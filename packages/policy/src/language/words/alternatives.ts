import type { Shell } from "../grammar/shell.ts";
import { HOLE, scalar, TAINT, type Value } from "../state/values.ts";

/** More combinations than this are not tried one by one: then the variables count as unknown. */
const MAX_COMBINATIONS = 16;

/**
 * Runs a function once for every other combination of alternative values of the variables that a text names. The caller
 * handles the current combination. Each run works on a copy of the state.
 */
export function forEachAlternative(shell: Shell, source: string, work: () => void): void {
  const uncertain = uncertainVariables(shell, source);
  if (uncertain.length === 0) return;
  const combinations = combine(uncertain);
  for (const combination of combinations ?? [uncertain.map(unknown)]) {
    shell.inSubshell(() => {
      for (const [name, value] of combination) shell.state.variables.set(name, value);
      work();
    });
  }
}

function uncertainVariables(shell: Shell, source: string): [string, Value][] {
  let found: [string, Value][] | null = null;
  // A name that is computed, or that is reached through a reference, does not appear in the text.
  const isIndirect = shell.state.references.size > 0 || source.includes("${!");
  for (const entry of shell.state.variables) {
    if (entry[1].others === undefined || !(isIndirect || source.includes(entry[0]))) continue;
    found ??= [];
    found.push(entry);
  }
  return found ?? [];
}

/** Every combination except the current one; null if there are too many. */
function combine(uncertain: readonly [string, Value][]): [string, Value][][] | null {
  let combinations: [string, Value][][] = [[]];
  for (const [name, value] of uncertain) {
    const { others = [], ...held } = value;
    const values = [held, ...others.map((other) => scalar(other, value.taint))];
    if (combinations.length * values.length > MAX_COMBINATIONS) return null;
    combinations = values.flatMap((one) =>
      combinations.map((combination): [string, Value][] => [...combination, [name, one]]),
    );
  }
  return combinations.slice(1);
}

function unknown([name, value]: [string, Value]): [string, Value] {
  return [name, scalar(HOLE, value.taint | TAINT.data)];
}
