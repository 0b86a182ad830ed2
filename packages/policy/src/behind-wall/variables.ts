import type { JudgeContext } from "../context.ts";
import type { Invocation } from "../language/commands/invocation.ts";
import type { ShellMemory } from "../language/state/memory.ts";
import { isSecretName } from "../language/state/secret-names.ts";
import { HOLE, has, TAINT } from "../language/state/values.ts";
import type { ReadCommand } from "../read-command.ts";
import type { WallOpenings } from "./openings.ts";

/** The memory after a text, which says if the shell may have variables from then on that no text showed. */
export function rememberForeign(
  { invocations, memoryAfter }: ReadCommand,
  { memory, shell }: JudgeContext,
): ShellMemory {
  const isForeign = memory.hasForeignVariables || invocations.some((invocation) => bringsVariables(invocation, shell));
  return isForeign ? { ...memoryAfter, hasForeignVariables: true } : memoryAfter;
}

const SETS: ReadonlySet<string> = new Set("export declare typeset readonly local".split(" "));
/** Scripts that set up a tool chain set no secrets. */
const SETS_UP = /(^|\/)(activate(\.\w+)?|nvm\.sh|asdf\.sh|conda\.sh|\.cargo\/env)$/;

/** In fish, `set` is what other shells call `export`. */
function bringsVariables({ program, args }: Invocation, shell: string): boolean {
  const words = args.map(({ text }) => text);
  switch (program) {
    case ".":
    case "source":
      return !SETS_UP.test(words[0] ?? "");
    case "eval":
      return words.some((word) => word.includes(HOLE));
    case "set":
      return shell.endsWith("fish");
    default:
      return SETS.has(program) && words.some((word) => word.split("=", 1)[0]?.includes(HOLE));
  }
}

/** Names that no program takes for a credential, or for the place of one. */
const PLAIN =
  /^([a-z_][a-z0-9_]*|CI|DEBUG|VERBOSE|NODE_ENV|TERM|COLUMNS|LINES|LANG|LANGUAGE|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR|(GIT_|GH_|AWS_)?PAGER|EDITOR|VISUAL|PWD|OLDPWD|PYTHONPATH|PYTHONUNBUFFERED)$/;

/** Wrappers that add no variables of their own. */
const ADDS_NONE: ReadonlySet<string> = new Set("env command time nice nohup timeout stdbuf".split(" "));

/** Whether every variable that a program gets is known, and none is a credential or says where one is. */
export function hasPlainVariables(invocation: Invocation, openings: WallOpenings, context: JudgeContext): boolean {
  const { memory, env } = context;
  // The others stay in the shell, except those that were exported before it started.
  const exported = Object.entries(memory.variables).filter(
    ([name, { isExported }]) => isExported || memory.exportsAll || name === "HOME",
  );
  const set = [...invocation.env.keys(), ...Object.keys(env), ...exported.map(([name]) => name)];
  return (
    isOwnShell(openings, context) &&
    invocation.wrappers.every((wrapper) => ADDS_NONE.has(wrapper)) &&
    set.every((name) => PLAIN.test(name) && !isSecretName(name))
  );
}

/** Files that a shell reads when it starts. */
const STARTS_SHELL = /^(\.bash(?!_history)|\.profile|\.z(sh(?!_history)|profile|login)|\.config\/fish)/;

/** Whether nothing but the wall and visible commands gave the shell its variables. */
function isOwnShell({ env, startsPlain, homeNames }: WallOpenings, { memory }: JudgeContext): boolean {
  return (
    startsPlain && env.length === 0 && !memory.hasForeignVariables && !homeNames.some((name) => STARTS_SHELL.test(name))
  );
}

const SHOWS: ReadonlySet<string> = new Set("env printenv set export declare typeset".split(" "));
const ENVIRONMENT_FILE = /^\/proc\/(self|thread-self|\d+)\/environ$/;

/** Whether it prints variables of the shell, of which none is a secret that people let in. */
export function showsPlainVariables(invocation: Invocation, openings: WallOpenings, context: JudgeContext): boolean {
  const { program, args, stdin, effects } = invocation;
  const secrets = effects.filter(({ type, isSecret }) => type === "read" && isSecret);
  const fromVariables = [stdin, ...args].some(({ taint }) => has(taint, TAINT.secretVariable));
  const isShown = SHOWS.has(program) || fromVariables || secrets.length > 0;
  const isFromFile = [stdin, ...args].some(({ taint }) => has(taint, TAINT.secret));
  return (
    isShown &&
    !isFromFile &&
    secrets.every(({ paths }) => paths.length > 0 && paths.every((path) => ENVIRONMENT_FILE.test(path))) &&
    Object.values(context.memory.variables).every(({ taint }) => !has(taint, TAINT.secret)) &&
    hasPlainVariables(invocation, openings, context)
  );
}
