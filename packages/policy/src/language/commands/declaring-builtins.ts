import type { Handled, Shell } from "../grammar/shell.ts";
import { isPromptHook, judgeEnvironment } from "../state/env-hooks.ts";
import { isLoadingVariable } from "../state/harmless-variables.ts";
import { declaresLocal, makeLocal } from "../state/locals.ts";
import { eitherValue } from "../state/state.ts";
import { type Field, field, HOLE, isKnown, NO_INPUT, scalar, stream, TAINT } from "../state/values.ts";
import { noteOwnName, setReference, setVariable, unsetVariable } from "../state/variables.ts";

/** A builtin that was handled and printed nothing. */
export const DONE: Handled = { output: NO_INPUT, isTransparent: false };

export function unset(shell: Shell, args: readonly Field[]): Handled {
  const removesFunctions = args.some(({ text }) => /^-[a-z]*f/.test(text));
  for (const { text } of args) {
    if (text.startsWith("-")) continue;
    unsetVariable(shell, text);
    shell.state.functions.delete(text);
    // Unsetting a variable makes programs load less, not more. Only these change the shell itself.
    const isVital = /^(?:PATH|HOME|HIST\w*|SHELLOPTS|BASHOPTS|TMOUT|LD_\w+)$/.test(text);
    if (isPromptHook(text.split("[")[0] ?? "")) shell.note("shell-replaced", text);
    else if (removesFunctions || isVital || !isKnown(text)) shell.note("meaning-removed", text);
    if (args.some((arg) => /^-[a-z]*n/.test(arg.text))) shell.state.references.delete(text);
  }
  return DONE;
}

/** `export`, `declare` and similar: with a value they set a variable, without one they change its attributes. */
export function declare(shell: Shell, args: readonly Field[], builtin: string): Handled {
  const flags = args
    .filter(({ text }) => /^[-+][a-zA-Z]+$/.test(text))
    .map(({ text }) => text)
    .join("");
  const isExported = builtin === "export" || flags.includes("x");
  const isInteger = builtin === "integer" || flags.includes("i");
  const isLocal = declaresLocal(shell.state, builtin, flags) && !/[fFp]/.test(flags);
  for (const arg of args) {
    if (/^[-+][a-zA-Z]+$/.test(arg.text)) continue;
    const setsGlobal = flags.includes("g") && shell.state.locals !== null;
    const isKept = builtin === "local" || setsGlobal;
    const before = isKept ? shell.state.variables.get(arg.text.split(/[[+=]/)[0] ?? "") : undefined;
    if (isLocal && !arg.isExpandedArray) hide(shell, arg.text);
    const match = /^([A-Za-z_]\w*(?:\[[^\]]*\])?)(\+?)=([\s\S]*)$/.exec(arg.text);
    if (match?.[1] === undefined) {
      declareOnly(shell, arg, {
        isExported,
        isInteger,
        changesIt: builtin === "readonly" || /[rnT]/.test(flags),
        flags,
      });
      continue;
    }
    const [, name, append, value = ""] = match;
    const isArray = /[aA]/.test(flags) || shell.state.variables.get(name)?.isArray === true;
    if (flags.includes("n") && builtin !== "export") setReference(shell, name, value, arg.taint);
    // For an array, bash treats such a text as if it were unquoted: its substitutions run.
    else if (isArray && !arg.isExpandedArray && /^\s*\(/.test(value))
      shell.runText(field(`${name}${append}=${value}`, arg.taint), NO_INPUT, builtin);
    else if (isArray && !arg.isExpandedArray && value.startsWith(HOLE)) shell.note("dynamic-code", builtin, arg.taint);
    // The items of an array were set when the words were expanded.
    else if (shell.state.variables.get(name)?.isArray !== true || name.includes("["))
      setVariable(
        shell,
        name,
        { ...scalar(value, arg.taint), ...(isInteger && { isInteger }) },
        { isAppended: append === "+", isExported },
      );
    else judgeEnvironment(shell, new Map([[name, field(value, arg.taint)]]));
    // Outside of a function bash refuses `local`, and the variable keeps its value.
    const after = shell.state.variables.get(name);
    if (builtin === "local" && shell.state.locals === null && shell.state.dialect !== "zsh" && after !== undefined)
      shell.state.variables.set(name, eitherValue(before, after));
    // `declare -g` sets the variable of the script. One that a function declared, this or a caller, stays in sight until it returns.
    if (setsGlobal && after !== undefined) {
      shell.state.globals.set(name, after);
      if (before !== undefined) shell.state.variables.set(name, eitherValue(before, after));
    }
  }
  const printsAll = args.length === 0 || flags.includes("p") || flags.includes("x");
  return {
    output: printsAll && args.every(({ text }) => text.startsWith("-")) ? stream(null, TAINT.secret) : NO_INPUT,
    isTransparent: false,
  };
}

/** `local x`, `local x=1`: the name before the value. */
function hide(shell: Shell, text: string): void {
  const name = /^[A-Za-z_]\w*/.exec(text)?.[0];
  if (name !== undefined) makeLocal(shell.state, name);
}

interface Declared {
  readonly isExported: boolean;
  readonly isInteger: boolean;
  readonly changesIt: boolean;
  readonly flags: string;
}

/** `export PATH` passes on the current value; making it readonly, or unexporting it, changes what programs find. */
function declareOnly(
  shell: Shell,
  { text, taint }: Field,
  { isExported, isInteger, changesIt, flags }: Declared,
): void {
  if (/[[$`]/.test(text)) shell.evaluate(text);
  const name = /^[A-Za-z_]\w*/.exec(text)?.[0] ?? text;
  // Printing one of Belay's own names counts too: its hooks hold a secret.
  noteOwnName(shell, name);
  if (!isKnown(text) && /^[^-]/.test(text)) shell.note("startup-variable", "a variable whose name is not known", taint);
  if (changesIt && isLoadingVariable(name)) shell.note("startup-variable", name);
  if (/^-\w*n/.test(flags)) setReference(shell, name, "", taint);
  // What is assigned to it later is read as the items of an array.
  if (/[aA]/.test(flags) && !shell.state.variables.has(name))
    setVariable(shell, name, { items: [], isArray: true, taint: TAINT.unset, isUnordered: true });
  const value = shell.state.variables.get(name);
  if (isInteger) setVariable(shell, name, { ...(value ?? scalar(HOLE, TAINT.unset)), isInteger });
  if (isExported && value !== undefined && !value.isExported) setVariable(shell, name, value, { isExported });
}
