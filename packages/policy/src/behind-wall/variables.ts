import type { JudgeContext } from "../context.ts";
import type { Invocation } from "../language/commands/invocation.ts";
import type { ShellMemory } from "../language/state/memory.ts";
import { isSecretName } from "../language/state/secret-names.ts";
import { HOLE, has, TAINT } from "../language/state/values.ts";
import { isSetUpScript } from "../programs/names/shell-set-up.ts";
import type { ReadCommand } from "../read-command.ts";
import type { WallOpenings } from "./openings.ts";

/** The memory after a command. It records that the shell may have variables which no judged text showed. */
export function rememberForeign({ invocations, memoryAfter }: ReadCommand, context: JudgeContext): ShellMemory {
  const isForeign =
    context.memory.hasForeignVariables || invocations.some((invocation) => bringsVariables(invocation, context));
  return isForeign ? { ...memoryAfter, hasForeignVariables: true } : memoryAfter;
}

const SETS: ReadonlySet<string> = new Set("export declare typeset readonly local".split(" "));
/** In fish, `set` also exports. */
function bringsVariables({ program, args }: Invocation, context: JudgeContext): boolean {
  const words = args.map(({ text }) => text);
  switch (program) {
    case ".":
    case "source":
      // Tool chains set no secrets.
      return !isSetUpScript(words[0] ?? "", context);
    case "eval":
      return words.some((word) => word.includes(HOLE));
    case "set":
      return context.shell.endsWith("fish");
    default:
      return SETS.has(program) && words.some((word) => word.split("=", 1)[0]?.includes(HOLE));
  }
}

/** Names that no program uses for a credential or its location. */
const PLAIN =
  /^([a-z_][a-z0-9_]*|CI|DEBUG|VERBOSE|NODE_ENV|TERM|COLUMNS|LINES|LANG|LANGUAGE|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR|(GIT_|GH_|AWS_)?PAGER|EDITOR|VISUAL|PWD|OLDPWD|PYTHONPATH|PYTHONUNBUFFERED)$/;

/** Wrappers that add no variables of their own. */
const ADDS_NONE: ReadonlySet<string> = new Set("env command time nice nohup timeout stdbuf".split(" "));

/** Whether every variable that the program gets is known, and none is a credential or the location of one. */
export function hasPlainVariables(invocation: Invocation, openings: WallOpenings, context: JudgeContext): boolean {
  const { memory, env } = context;
  // A program gets only exported variables. `HOME` was exported before the shell started.
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

/** Whether all variables of the shell come from the wall and from judged commands. */
function isOwnShell({ env, startsPlain, homeNames }: WallOpenings, { memory }: JudgeContext): boolean {
  return (
    startsPlain && env.length === 0 && !memory.hasForeignVariables && !homeNames.some((name) => STARTS_SHELL.test(name))
  );
}

const SHOWS: ReadonlySet<string> = new Set("env printenv set export declare typeset".split(" "));
const ENVIRONMENT_FILE = /^\/proc\/(self|thread-self|\d+)\/environ$/;

/** Whether the command prints variables, none of which is a secret that the wall lets in. */
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
