import type { ProgramUse } from "../define-program.ts";

/** Whether one of these options was given. */
export const has = ({ options }: ProgramUse, ...names: readonly string[]): boolean =>
  options.some(({ name }) => names.includes(name));

/** What was given to these options. */
export const valuesOf = ({ options }: ProgramUse, ...names: readonly string[]): string[] =>
  options.filter(({ name }) => names.includes(name)).flatMap(({ value }) => value?.text ?? []);
