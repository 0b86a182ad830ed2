import type { Assignment, Command, CommandArgument } from "unbash";
import type { Shell } from "../grammar/shell.ts";
import { judgeEnvironment } from "../state/env-hooks.ts";
import { declaresLocal, makeLocal } from "../state/locals.ts";
import type { ShellState } from "../state/state.ts";
import { type Field, field, NO_INPUT, type Stream, scalar, type Value } from "../state/values.ts";
import { setVariable } from "../state/variables.ts";
import { forEachAlternative } from "../words/alternatives.ts";
import { evaluateArithmeticText } from "../words/arithmetic.ts";
import { lookUp } from "../words/parameters.ts";
import { openRedirects } from "./redirections.ts";

/** Assignments, redirections and words of one command, in the order in which the shell handles them. */
export function runSimpleCommand(shell: Shell, node: Command, stdin: Stream): Stream {
  const source = shell.frame.source.slice(node.pos, node.end);
  const branches: ShellState[] = [];
  forEachAlternative(shell, source, () => {
    runOnce(shell, node, stdin);
    branches.push(shell.state);
  });
  const output = runOnce(shell, node, stdin);
  // Each run may have set variables differently.
  if (node.name === undefined) for (const branch of branches) shell.state.mergeBranch(branch);
  return output;
}

function runOnce(shell: Shell, node: Command, stdin: Stream): Stream {
  const assignments = node.prefix.filter((item) => item.type === "Assignment");
  if (node.name === undefined) {
    for (const assignment of assignments) assign(shell, assignment);
    const opened = openRedirects(shell, node.redirects, stdin);
    if (opened.effects.length > 0) shell.runArgv([field(":")], { stdin, env: new Map(), effects: opened.effects });
    // `$(< file)` is the content of the file.
    const readsOnly = opened.effects.length === 1 && opened.effects[0]?.type === "read";
    return opened.finish(readsOnly ? opened.stdin : NO_INPUT);
  }

  const env = new Map<string, Field>();
  for (const assignment of assignments) {
    const value = valueField(evaluate(shell, assignment));
    const before = assignment.append ? lookUp(shell, assignment.name).items[0] : "";
    env.set(assignment.name, field((before ?? "") + value.text, value.taint));
  }
  judgeEnvironment(shell, env);

  const alias = aliasFor(shell, node);
  let aliasTaint = 0;
  if (alias !== null) {
    const output = runAlias(shell, node, alias, stdin);
    if (!shell.state.newAliases.has(node.name.value)) return output;
    aliasTaint = output.taint;
  }

  evaluateSubscripts(shell, node);
  const argv = [...shell.expand(node.name), ...node.args.flatMap((arg) => expandArgument(shell, arg, node))];
  const opened = openRedirects(shell, node.redirects, stdin);
  const output = shell.runArgv(opensDescriptors(argv, node) ? [field(":")] : argv, {
    stdin: opened.stdin,
    env,
    effects: opened.effects,
  });
  return opened.finish(aliasTaint === 0 ? output : { ...output, taint: output.taint | aliasTaint });
}

/**
 * `exec 5<file`: opens or closes descriptors that no program uses by itself. What it reads or writes is judged as for any
 * other command. Input, output and errors of the shell are another matter: what follows would not be seen.
 */
function opensDescriptors(argv: readonly Field[], { redirects }: Command): boolean {
  if (argv.length !== 1 || argv[0]?.text !== "exec" || redirects.length === 0) return false;
  return redirects.every((redirect) => {
    if (redirect.type !== "Redirect") return false;
    const { descriptor, target } = redirect;
    // `exec {fd}>&-` closes the one that the variable names.
    if (descriptor?.type === "FileDescriptorVariable") return target?.text !== "-";
    return descriptor?.type === "FileDescriptor" && descriptor.value >= 3 && descriptor.value <= 9;
  });
}

/** Builtins that take names of variables or array items: `read a[i]`. */
const TAKES_NAMES =
  /^(read|mapfile|readarray|printf|unset|test|\[|let|declare|typeset|local|export|readonly|getopts|wait|integer|float)$/;

/** The word parser reads `a[i]` as a pattern, but for these builtins it is arithmetic. */
function evaluateSubscripts(shell: Shell, { name, args }: Command): void {
  const words = [name, ...args.slice(0, 2)].map((word) => (word?.type === "Word" ? word.value : ""));
  if (!words.some((word) => TAKES_NAMES.test(word))) return;
  for (const arg of args) {
    if (arg.type !== "Word") continue;
    const [open, close] = [arg.text.indexOf("["), arg.text.lastIndexOf("]")];
    const place = open > 0 && close > open ? arg.text.slice(open + 1, close) : "";
    if (place !== "" && place !== "@" && place !== "*") evaluateArithmeticText(shell, place);
  }
}

/** `export A=b` and similar: the parser sees an assignment among the arguments. */
function expandArgument(shell: Shell, arg: CommandArgument, { name, args }: Command): Field[] {
  if (arg.type === "Word") return shell.expand(arg);
  const value = evaluate(shell, arg);
  const flags = args.flatMap((word) => (word.type === "Word" && word.value.startsWith("-") ? word.value : [])).join("");
  if (value.isArray && declaresLocal(shell.state, name?.value ?? "", flags)) makeLocal(shell.state, arg.name);
  if (value.isArray) setVariable(shell, arg.name, value, { isAppended: arg.append ?? false });
  if (value.isArray) return [{ ...field(`${arg.name}=${value.items.join(" ")}`, value.taint), isExpandedArray: true }];
  if (arg.index)
    return [field(`${arg.name}[${shell.expandToOne(arg.index).text}]=${value.items.join(" ")}`, value.taint)];
  return [field(`${arg.name}=${value.items.join(" ")}`, value.taint)];
}

function evaluate(shell: Shell, assignment: Assignment): Value {
  if (assignment.index) {
    shell.expandToOne(assignment.index);
    evaluateArithmeticText(shell, assignment.index.text);
  }
  if (assignment.value.type === "ArrayValue") {
    for (const { text } of assignment.value.elements) {
      // `[i]=…` evaluates the index as arithmetic.
      const place = /^\[([\s\S]*)\]\+?=/.exec(text)?.[1];
      if (place !== undefined) evaluateArithmeticText(shell, place);
    }
    const fields = assignment.value.elements.flatMap((element) => shell.expand(element));
    return {
      items: fields.map(({ text }) => text),
      isArray: true,
      taint: fields.reduce((all, item) => all | item.taint, 0),
    };
  }
  const one = shell.expandToOne(assignment.value);
  return scalar(one.text, one.taint);
}

function assign(shell: Shell, assignment: Assignment): void {
  const value = evaluate(shell, assignment);
  const index = assignment.index && shell.expandToOne(assignment.index).text;
  setVariable(shell, assignment.name, value, {
    ...(index !== undefined && { index }),
    isAppended: assignment.append ?? false,
  });
}

function valueField(value: Value): Field {
  return field(value.items.join(value.isArray ? "\n" : " "), value.taint);
}

function aliasFor(shell: Shell, node: Command): string | null {
  const name = node.name;
  if (name === undefined || name.text !== name.value || shell.functionCalls.includes(`alias ${name.value}`))
    return null;
  return shell.state.aliases.get(name.value) ?? null;
}

/** An alias replaces the first word by text, and the result is parsed again. */
function runAlias(shell: Shell, node: Command, alias: string, stdin: Stream): Stream {
  const { name } = node;
  if (name === undefined) return NO_INPUT;
  const rest = shell.frame.source.slice(name.end, node.end);
  shell.markWalked(node);
  shell.functionCalls.push(`alias ${name.value}`);
  const output = shell.runText(field(alias + rest), stdin, `alias ${name.value}`);
  shell.functionCalls.pop();
  return output;
}
