import { display, type Field, field, STAR, type Stream, TAINT } from "../../../language/state/values.ts";
import { activateGlobs } from "../../../language/words/glob.ts";

/** Files of source code and of documents. Settings and data may hold credentials, so they are not among them. */
const SOURCE_NAME =
  /^[\w*?.[\]-]*\.(?:pyi?|pyx|pxd|[chm]|cc|cpp|cxx|hh|hpp|hxx|mm|cu|go|rs|java|kts?|scala|groovy|rb|php|[cm]?[jt]s|[jt]sx|vue|svelte|s?css|less|swift|cs|fs|hs|mli?|exs?|erl|hrl|cljs?|lua|p[lm]|jl|zig|nim|f90|md|rst|tex)$/;

/** Programs that only print something about the files that they are given. */
const PRINTS = new Set("grep egrep fgrep rg cat head tail wc ls file stat md5sum sha1sum sha256sum".split(" "));

const isSourceName = (name: string): boolean => SOURCE_NAME.test(name) && !name.startsWith(".");

/** The tests and actions of `find` with which it prints nothing but the names of what was found. */
const PLAIN_TEST =
  /^-(?:i?name|i?path|type|(?:max|min)depth|size|[cma]?min|[cma]time|newer\w*|not|o|or|a|and|print0?|prune|empty|readable|x?dev|mount|follow|[HLP])$/;

/**
 * The name that all results of `find` have: `find / -type f -name '*.py'`. Every alternative that prints must name source
 * files, and a negation of anything but a single path could turn the names around.
 */
export function sourcesFound(args: readonly Field[]): string | null {
  const words = args.map(({ text }) => text);
  const isPlain = words.every(
    (word, at) =>
      word !== "," &&
      (!word.startsWith("-") || PLAIN_TEST.test(word)) &&
      (!/^(?:!|-not)$/.test(word) || /^-i?path$/.test(words[at + 1] ?? "")),
  );
  if (!isPlain) return null;
  const alternatives: string[][] = [[]];
  for (const word of words) {
    if (word === "-o" || word === "-or") alternatives.push([]);
    else alternatives.at(-1)?.push(word);
  }
  const printsItself = words.some((word) => /^-print0?$/.test(word));
  const printed = alternatives.filter((one) => !(printsItself && one.at(-1) === "-prune"));
  const named = printed.map((one) => one[one.findIndex((word) => /^-i?name$/.test(word)) + 1] ?? "");
  const areSources = printed.every(
    (one, at) => one.some((word) => /^-i?name$/.test(word)) && isSourceName(named[at] ?? ""),
  );
  return areSources && named[0] !== undefined ? activateGlobs(named[0]) : null;
}

/** The found source files, for a program that only prints something about them. Null if that is not what it gets. */
export function printedSources(command: Field | undefined, { listing, sources, taint }: Stream): Field | null {
  if (command === undefined || !PRINTS.has(command.text) || listing === null || sources === undefined) return null;
  return field(`${listing.replace(/\/$/, "")}/${STAR}/${sources}`, taint | TAINT.listing);
}

/** `grep -r x / --include='*.py'`. With `--exclude` as the first of them, all other files are searched as well. */
export function searchesOnlySources(args: readonly Field[]): boolean {
  const filters = args.flatMap(({ text }, at) => {
    const [, kind, value] = /^--(include|exclude)(?:=(.*))?$/.exec(display(text)) ?? [];
    return kind === undefined ? [] : [{ kind, name: value ?? display(args[at + 1]?.text ?? "") }];
  });
  return filters[0]?.kind === "include" && filters.every(({ kind, name }) => kind === "exclude" || isSourceName(name));
}
