import type { FileEffect } from "../../language/commands/invocation.ts";
import { type Field, field, stream, TAINT } from "../../language/state/values.ts";
import { activateGlobs } from "../../language/words/glob.ts";
import { read } from "./effect-parts.ts";

/**
 * Reads without a path operand: a file in git's history, the environment of this or another process. The output is the
 * same secret, so it counts as read from its usual path.
 */
export function indirectReads(program: string, args: readonly Field[]): readonly FileEffect[] {
  switch (program) {
    case "git":
      return fromHistory(args);
    case "ps":
      return showsEnvironment(args) ? ENVIRONMENT : [];
    case "jq":
    case "gojq":
    case "jaq":
      return args.some(({ text }) => JQ_ENVIRONMENT.test(text)) ? ENVIRONMENT : [];
    case "yq":
      return args.some(({ text }) => /\b(str)?env\s*\(|\benvsubst\b/.test(text)) ? ENVIRONMENT : [];
    default:
      return [];
  }
}

const ENVIRONMENT: readonly FileEffect[] = [
  { type: "read", path: field("/proc/self/environ"), content: stream(null, TAINT.secret) },
];

/** `env` and `$ENV` of jq. `.env` is an ordinary key. */
const JQ_ENVIRONMENT = /(^|[^\w.$"'-])env\b(?!\s*:)|\$ENV\b|\$__prog_args\b/;

const SHOWS_CONTENT =
  /^(show|cat-file|grep|blame|annotate|log|diff|difftool|archive|stash|format-patch|range-diff|whatchanged|diff-tree|diff-index|diff-files|rev-list|checkout|restore|worktree|apply|config)$/;

/** `git show HEAD:.env`, `git grep x -- .env`: git reads them, even if they no longer exist. */
function fromHistory(args: readonly Field[]): FileEffect[] {
  const at = args.findIndex(({ text }) => SHOWS_CONTENT.test(text));
  if (at < 0 || onlyListsCommits(args.slice(at))) return [];
  return args.slice(at + 1).flatMap((arg) => {
    const { taint } = arg;
    // `-L1,9:.env` and `--blob=HEAD:.env` name the file inside of an option.
    const text = arg.text.replace(/^(?:-L|--blob=)(?=[^=]*:)/, "");
    if (text.startsWith("-")) return [];
    // Git expands the wildcards in a quoted pathspec itself.
    if (hasGlobCharacters(text)) return [read(field(activateGlobs(text.replace(/^:\/|^:\([^)]*\)/, "")), taint))];
    const inTree = /^[^\s]*:(?:\d:)?([^\s:]+)$/.exec(text)?.[1];
    return inTree === undefined ? [read(field(text, taint))] : [read(field(inTree, taint))];
  });
}

/** Options with which `git log` prints names, dates and messages, and nothing that a file contains. */
const LISTS_COMMITS =
  /^(?:--|-\d+|-n\d*|--(?:oneline|all|stat|numstat|shortstat|summary|name-only|name-status|follow|full-history|graph|decorate|abbrev-commit|reverse|merges|no-merges|source|branches|remotes|tags|first-parent)|--(?:pretty|format|date|decorate|diff-filter|max-count|since|until|after|before|author)=.*)$/s;

/** `git log --oneline -- .env`: whether it was ever committed. */
function onlyListsCommits([verb, ...rest]: readonly Field[]): boolean {
  return verb?.text === "log" && rest.every(({ text }) => !text.startsWith("-") || LISTS_COMMITS.test(text));
}

const hasGlobCharacters = (text: string) => /[*?[]/.test(text) && !/[\s{]/.test(text);

/** Single-letter options of `ps` that take a value, with and without a dash. */
const PS_VALUES = /^-?[A-Za-z]*[CGgkNOopqstUu]$/;

/** `ps e`, `ps auxe`, `ps -eo env`: the environment of other processes, with their passwords. */
function showsEnvironment(args: readonly Field[]): boolean {
  for (let at = 0; at < args.length; at += 1) {
    const text = args[at]?.text ?? "";
    const value = args[at + 1]?.text ?? "";
    if (/^-[a-zA-Z]*E/.test(text)) return true;
    if (/^-?[A-Za-z]*[oO]$/.test(text) || /^--format$/.test(text)) {
      if (/\benv(iron)?\b/i.test(value)) return true;
      at += 1;
    } else if (/^-?[A-Za-z]*o\S*env|^--format=.*env/i.test(text)) return true;
    else if (/^[A-Za-z]+$/.test(text)) {
      if (text.includes("e")) return true;
      if (PS_VALUES.test(text)) at += 1;
    } else if (PS_VALUES.test(text)) at += 1;
  }
  return false;
}
