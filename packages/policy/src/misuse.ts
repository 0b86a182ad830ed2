import { programNamed } from "./programs/catalog/index.ts";
import type { Effect, OptionMeaning, Verb } from "./programs/define-program.ts";
import type { TeamRule } from "./settings/schema.ts";

/** A misuse of a program that a rule allows. */
export interface Misuse {
  /** A command that the rule must not allow. */
  readonly command: string;
  /** What is wrong with it. */
  readonly how: string;
}

const HARMFUL: ReadonlySet<Effect> = new Set(["code", "secret", "publish", "destroy"]);
const MOST = 40;

/**
 * Known ways to misuse what a rule allows: wrapping the command, options of its program that run code, write elsewhere
 * or destroy, and uses that its table lists as harmful. They are only judged, never run.
 */
export function knownMisuses(rule: TeamRule): Misuse[] {
  const programs = rule.program === undefined ? [] : [rule.program].flat();
  const found = rule.match.flatMap((command) => [
    ...around(command),
    ...programs.flatMap((program) => [...byOptions(program, command, rule.args ?? []), ...listed(program)]),
  ]);
  const covered = new Set(rule.match);
  const unique = new Map(found.map((misuse) => [misuse.command, misuse]));
  return [...unique.values()].filter(({ command }) => !covered.has(command)).slice(0, MOST);
}

/** Ways to turn any command into another one. */
function around(command: string): Misuse[] {
  return [
    { command: `LD_PRELOAD=./belay-none.so ${command}`, how: "with code loaded into it" },
    { command: `PATH=./belay-none:$PATH ${command}`, how: "with another program of that name" },
    { command: `./${command}`, how: "with another program of that name" },
    { command: `sudo ${command}`, how: "as root" },
    { command: `${command} | sh`, how: "with its output run" },
    { command: `${command} > /etc/belay-none`, how: "with its output in a system file" },
    { command: `${command} $(belay-none)`, how: "with something else run on the way" },
    { command: `${command}; belay-none`, how: "with something else run after it" },
  ];
}

function byOptions(program: string, command: string, args: readonly string[]): Misuse[] {
  let verb: Verb | undefined = programNamed(program)?.root();
  const options: OptionMeaning[] = [];
  for (const word of ["", ...args]) {
    verb = word === "" ? verb : verb?.verbs?.get(word);
    if (verb === undefined) break;
    options.push(...verb.options.named.values());
  }
  return options.flatMap((option) => {
    const how = howOf(option);
    if (how === null) return [];
    const value = option.takes === "nothing" ? "" : option.takes === "attached" ? "=/belay-none" : " /belay-none";
    return [{ command: `${command} ${option.name}${value}`, how }];
  });
}

function howOf({ kind, does }: OptionMeaning): string | null {
  if (kind === "code" || does === "code") return "with an option that runs code";
  if (kind === "config") return "with settings from elsewhere";
  if (kind === "write") return "with an option that writes a file";
  return does !== null && HARMFUL.has(does) ? "with an option that cannot be undone" : null;
}

/** What the program's own table lists as harmful. */
function listed(program: string): Misuse[] {
  const known = programNamed(program);
  return (known?.spec.asks ?? [])
    .filter((command) => command.startsWith(`${program} `))
    .map((command) => ({ command, how: "known not to be harmless" }));
}
