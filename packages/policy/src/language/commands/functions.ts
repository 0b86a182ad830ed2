import { type Function as FunctionNode, parse } from "unbash";
import type { Shell } from "../grammar/shell.ts";
import { dropLocals } from "../state/locals.ts";
import { eitherValue, type ShellFunction, type ShellState } from "../state/state.ts";
import { type Field, type Stream, stream } from "../state/values.ts";
import { noteOwnName } from "../state/variables.ts";

const MAX_CALL_DEPTH = 16;
/** The deepest recursion that is followed, if each call is different. */
const MAX_RECURSION = 4;

/** Stores a function, and judges its body now, before it is called. */
export function defineFunction(shell: Shell, node: FunctionNode): void {
  const name = node.name.value;
  const definition = shell.frame.source.slice(node.pos, node.end);
  const body = node.body.type === "Redirected" ? node.body.command : node.body;
  const defined: ShellFunction = { definition, body, frame: shell.frame, isRecalled: false, isCertain: true };
  noteOwnName(shell, name);
  shell.note("function-defined", name);
  shell.state.functions.set(name, defined);

  shell.functionCalls.push(name);
  shell.inSubshell(() =>
    shell.under({ isBackground: false, isInPipeline: false, isDefining: true }, () => {
      shell.state.positional = null;
      shell.state.locals = new Map();
      shell.runNode(body, stream(null));
    }),
  );
  shell.functionCalls.pop();
}

/** Runs a function's body with these arguments, in the calling shell. */
export function callFunction(
  shell: Shell,
  name: string,
  body: ShellFunction,
  args: readonly Field[],
  stdin: Stream,
): Stream {
  const running = shell.functionCalls.filter((call) => call === name).length;
  if (running > 0) {
    // The function calls itself in the background, so each call starts two more.
    if (shell.how.isBackground || shell.how.isInPipeline) {
      shell.note("fork-bomb", name);
      return stream(null);
    }
    // With the same arguments and the same state, it would only repeat what was already seen.
    if (isRepeated(shell, name, args)) return stream(null);
  }
  if (running > MAX_RECURSION || shell.functionCalls.length >= MAX_CALL_DEPTH) {
    shell.note("too-complex", name);
    return stream(null);
  }

  const outer = { frame: shell.frame, positional: shell.state.positional, locals: shell.state.locals };
  // A function from an earlier command is not in this text, so the span is that of the call.
  shell.frame = body.isRecalled ? { ...body.frame, span: shell.span() ?? { start: 0, end: 0 } } : body.frame;
  shell.state.positional = args;
  shell.state.locals = new Map();
  shell.functionCalls.push(name);
  const calls = shell.calls.get(name) ?? [];
  shell.calls.set(name, [...calls, { state: shell.state.copy(), args }]);
  const output = shell.how.isDefining
    ? shell.under({ isDefining: false }, () => shell.runNode(body.body, stdin))
    : shell.runNode(body.body, stdin);
  shell.calls.set(name, calls);
  shell.functionCalls.pop();
  shell.frame = outer.frame;
  shell.state.positional = outer.positional;
  dropLocals(shell.state, eitherValue);
  shell.state.locals = outer.locals;
  if (outer.locals === null) shell.state.globals.clear();
  return output;
}

function isRepeated(shell: Shell, name: string, args: readonly Field[]): boolean {
  const last = shell.calls.get(name)?.at(-1);
  // It is only being defined. Each call will be judged with its own arguments.
  if (last === undefined) return true;
  const isSame = args.length === last.args.length && args.every(({ text }, at) => text === last.args[at]?.text);
  return isSame && shell.state.isSettledSince(last.state);
}

/** Restores functions that earlier commands defined. Their spans are not in the present text. */
export function recallFunctions(state: ShellState, definitions: Readonly<Record<string, string>>): void {
  for (const [name, definition] of Object.entries(definitions)) {
    const node = parse(definition).commands[0]?.command;
    if (node?.type !== "Function") continue;
    const body = node.body.type === "Redirected" ? node.body.command : node.body;
    state.functions.set(name, {
      definition,
      body,
      frame: { source: definition, span: null },
      isRecalled: true,
      isCertain: true,
    });
  }
}
