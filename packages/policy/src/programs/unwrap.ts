import { judgeEnvironment } from "../language/env-hooks.ts";
import { resolvePath } from "../language/paths.ts";
import type { Call, Shell } from "../language/shell.ts";
import { type Field, field, type Stream, stream, TAINT } from "../language/values.ts";
import { optionValues, parseOptions } from "./options.ts";
import { WRAPPERS, type Wrapper } from "./wrappers.ts";

export interface Unwrapped {
  /** It does nothing but run that command. */
  readonly isTransparent: boolean;
  readonly output: Stream;
}

/** Runs the command inside a wrapper; null where the program wraps nothing. */
export function unwrap(shell: Shell, program: string, args: readonly Field[], call: Call): Unwrapped | null {
  const wrapper = WRAPPERS.get(program);
  if (wrapper === undefined) return null;
  // `command -v rm` asks where it is.
  if (program === "command" && /^-[vV]/.test(args[0]?.text ?? "")) return null;
  const given = wrapper.verb ? afterVerb(args, wrapper.verb) : args;
  if (given === null) return null;

  const parsed = parseOptions(given, { ...wrapper, stopsAtOperand: true });
  const codes = (wrapper.code ?? []).flatMap((name) =>
    // `env perl -S…`: behind the program, options are the program's.
    codeOf(parsed.options.get(name), wrapper.assignments ? [] : parseOptions(given, wrapper).options.get(name)),
  );
  const moved = wrapper.assignments ? optionValues(parsed, "-C", "--chdir", "-D")[0] : undefined;
  const work = (): Unwrapped | null => (moved ? shell.inSubshell(() => runIn(moved)) : runInner());
  const runIn = (directory: Field) => {
    shell.state.cwd = resolvePath(directory.text, shell.state.cwd);
    return runInner();
  };
  const runInner = (): Unwrapped | null => {
    for (const code of codes) shell.inSubshell(() => shell.runText(code, call.stdin, program));
    const inner = codes.length > 0 ? [] : findCommand(wrapper, given, parsed.rest);
    const { env, argv } = wrapper.assignments
      ? takeAssignments(shell, inner, call.env)
      : { env: call.env, argv: inner };
    if (argv.length === 0) return codes.length > 0 ? { isTransparent: !wrapper.isOpaque, output: stream(null) } : null;
    if (wrapper.joins) {
      const text = argv.map((word) => word.text).join(" ");
      const taint = argv.reduce((all, word) => all | word.taint, 0);
      return {
        isTransparent: !wrapper.isOpaque,
        output: shell.inSubshell(() => shell.runText(field(text, taint), call.stdin, program)),
      };
    }
    return { isTransparent: !wrapper.isOpaque, output: shell.runArgv(argv, { ...call, env }) };
  };
  const unwrapped = shell.under(
    {
      wrappers: [...shell.how.wrappers, program],
      isPrivileged: shell.how.isPrivileged || wrapper.effect === "privileged",
    },
    work,
  );
  if (unwrapped === null || wrapper.effect !== "remote") return unwrapped;
  // What comes back was made on another machine.
  return { ...unwrapped, output: { ...unwrapped.output, text: null, taint: unwrapped.output.taint | TAINT.network } };
}

function afterVerb(args: readonly Field[], verbs: readonly string[]): readonly Field[] | null {
  const at = args.findIndex((arg) => !arg.text.startsWith("-"));
  const verb = args.findIndex((arg, index) => index >= at && verbs.includes(arg.text));
  return verb < 0 || verb > at + 2 ? null : args.slice(verb + 1);
}

function codeOf(first: readonly Field[] | undefined, anywhere: readonly Field[] | undefined): readonly Field[] {
  return first !== undefined && first.length > 0 ? first : (anywhere ?? []);
}

function findCommand(wrapper: Wrapper, given: readonly Field[], rest: readonly Field[]): readonly Field[] {
  if (wrapper.afterDashes) {
    const dashes = given.findIndex((arg) => arg.text === "--");
    return dashes < 0 ? rest.slice(1) : given.slice(dashes + 1);
  }
  const assignments = wrapper.assignments ? rest.findIndex((arg) => !/^\w+=/.test(arg.text)) : 0;
  const inner = wrapper.skip === undefined ? rest : rest.slice(Math.max(0, assignments) + wrapper.skip);
  return inner[0]?.text === "--" ? inner.slice(1) : inner;
}

function takeAssignments(shell: Shell, words: readonly Field[], env: ReadonlyMap<string, Field>) {
  const all = new Map(env);
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at];
    const match = /^([A-Za-z_][\w%()]*)=([\s\S]*)$/.exec(word?.text ?? "");
    if (word === undefined || match?.[1] === undefined) break;
    all.set(match[1], field(match[2] ?? "", word.taint));
  }
  judgeEnvironment(shell, all);
  return { env: all, argv: words.slice(at) };
}
