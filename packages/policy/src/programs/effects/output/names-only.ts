import type { Command, CommandNode, Word } from "unbash";
import { isSecretName } from "../../../language/state/secret-names.ts";

/**
 * Whether `env` at this position of a pipeline shows no secret values: `env | cut -d= -f1`, `printenv | sort | awk -F=
 * '{print $1}'`, `env | wc -l`, `env | grep '^PATH='`. Only literal words count, and no part may be redirected.
 */
export function showsOnlyNames(commands: readonly CommandNode[], at: number): boolean {
  const source = plainWords(commands[at]);
  if (source === null || source.length !== 1 || !(source[0] === "env" || source[0] === "printenv")) return false;
  let next = at + 1;
  while (isSelection(plainWords(commands[next]) ?? [])) next += 1;
  // A filter that selects may itself leave only names: `grep '^PATH='`.
  return [commands[next], commands[next - 1]].some((node, back) => {
    const filter = next - back > at ? plainWords(node) : null;
    return filter !== null && leavesOnlyNames(filter);
  });
}

const SORTS: readonly (readonly string[])[] = [["sort"], ["sort", "-u"], ["sort", "-r"], ["uniq"]];

/** It sorts the lines, or leaves some of them as they are. */
function isSelection(words: readonly string[]): boolean {
  if (SORTS.some((sort) => isSame(sort, words))) return true;
  const [program = "", ...args] = words;
  const options = args.filter((word) => word.startsWith("-"));
  return (
    /^[ef]?grep$/.test(program) &&
    args.length - options.length === 1 &&
    options.every((word) => /^-[EFGPivw]+$/.test(word))
  );
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, at) => word === b[at]);
}

const NAME_FILTERS: readonly (readonly string[])[] = [
  ["cut", "-d=", "-f1"],
  ["cut", "-d", "=", "-f", "1"],
  ["cut", "-d=", "-f", "1"],
  ["cut", "-d", "=", "-f1"],
  ["cut", "-f1", "-d="],
  ["cut", "-f", "1", "-d", "="],
  ["cut", "-f1", "-d", "="],
  ["cut", "-f", "1", "-d="],
  ["awk", "-F=", "{print $1}"],
  ["awk", "-F", "=", "{print $1}"],
  ["sed", "s/=.*//"],
  ["sed", "s/=.*$//"],
  ["sed", "-e", "s/=.*//"],
  ["sed", "-e", "s/=.*$//"],
  ["grep", "-o", "^[^=]*"],
  ["grep", "-oE", "^[^=]+"],
  ["grep", "-o", "-E", "^[^=]+"],
  ["wc", "-l"],
];

function leavesOnlyNames(words: readonly string[]): boolean {
  if (NAME_FILTERS.some((filter) => isSame(filter, words))) return true;
  const [program, ...args] = words;
  if (program !== "grep" && program !== "egrep") return false;
  const options = args.filter((word) => word.startsWith("-"));
  const patterns = args.filter((word) => !word.startsWith("-"));
  const [pattern] = patterns;
  if (pattern === undefined || patterns.length > 1 || !options.every((word) => /^-[ciEq]+$/.test(word))) return false;
  if (options.some((word) => /[cq]/.test(word))) return true;
  const names = /^\^(?:\(([A-Za-z_|]+)\)|([A-Za-z_]\w*))=$/.exec(pattern);
  const listed = names?.[1]?.split("|") ?? (names?.[2] === undefined ? [] : [names[2]]);
  return listed.length > 0 && listed.every((name) => name !== "" && !isSecretName(name));
}

/** The words of a simple command without expansions and redirections; null for anything else. */
function plainWords(node: CommandNode | undefined): readonly string[] | null {
  if (node?.type !== "Command" || node.name === undefined) return null;
  const { name, prefix, args, redirects }: Command = node;
  if (prefix.length > 0 || redirects.length > 0) return null;
  const words: string[] = [];
  for (const word of [name, ...args]) {
    if (word.type !== "Word" || !isPlain(word)) return null;
    words.push(word.value);
  }
  return words;
}

function isPlain({ text, value }: Word): boolean {
  if (text === `'${value}'`) return true;
  return (text === value || text === `"${value}"`) && !/[$`\\]/.test(text);
}
