import { type Field, HOLE, hasGlob, isKnown, type Stream } from "../../../language/state/values.ts";
import { programNamed } from "../../catalog/index.ts";
import { hasOption, optionValues, type ParsedOptions, parseOptions } from "../../options.ts";
import { commandWords } from "../command-words.ts";
import { readUse } from "../read-use.ts";

/** What every line of a stream starts with, up to a separator. */
export type Lead = NonNullable<Stream["lead"]>;

const NUMBER_BEFORE_COLON: Lead = { is: "number", before: ":" };
const NUMBER_BEFORE_BLANK: Lead = { is: "number", before: " " };
const NAME_BEFORE_BLANK: Lead = { is: "name", before: " " };

/** Options of `grep -n` with which each line still starts with its number. A separator of zero bytes would change that. */
const NUMBERED_SEARCH: ReadonlySet<string> = new Set(
  "-n --line-number -i --ignore-case -w --word-regexp -x --line-regexp -E -F -P -G --extended-regexp --fixed-strings --perl-regexp -m --max-count -e --regexp -v --invert-match -o --only-matching -h --no-filename -s -a".split(
    " ",
  ),
);
const HASHES = /^(?:md5|sha(?:1|224|256|384|512)|b2)sum$|^cksum$/;

/** What the lines of its output start with: `grep -n`, `wc -l FILE`, `git log --oneline`, `kubectl get pods`. */
export function leadOf(program: string, args: readonly Field[], stdin: Stream): Lead | null {
  switch (program) {
    case "grep":
    case "egrep":
    case "fgrep": {
      const search = parseSearch(args);
      if (search === null || !hasOption(search.parsed, "-n", "--line-number")) break;
      // With several files, each line starts with the name of its file.
      return search.files.length > 1 || search.files.some(({ text }) => hasGlob(text)) ? null : NUMBER_BEFORE_COLON;
    }
    case "wc":
      return isFixed(args) && args.every(({ text }) => !text.startsWith("-") || /^-[lwcm]$/.test(text))
        ? NUMBER_BEFORE_BLANK
        : null;
    case "uniq":
      if (args.length === 1 && args[0]?.text === "-c") return NUMBER_BEFORE_BLANK;
      break;
    case "git":
      return leadOfLog(args);
    case "kubectl":
      return leadOfTable(args);
  }
  if (HASHES.test(program) && isFixed(args) && args.every(({ text }) => !text.startsWith("-")))
    return NUMBER_BEFORE_BLANK;
  return keepsLines(program, args) ? (stdin.lead ?? null) : null;
}

/** Whether its output consists of whole lines of its input: `head -1`, `sort -n`, `grep x`. */
export function keepsLines(program: string, args: readonly Field[]): boolean {
  switch (program) {
    case "head":
    case "tail":
    case "sort":
    case "shuf":
    case "tac":
      return args.every(({ text }) => KEEPS_LINES.test(text));
    case "uniq":
      return args.length === 0;
    case "grep":
    case "egrep":
    case "fgrep": {
      const search = parseSearch(args);
      return (
        search !== null &&
        search.files.length === 0 &&
        !hasOption(search.parsed, "-n", "--line-number", "-o", "--only-matching")
      );
    }
    default:
      return false;
  }
}

/** A search of which every option is known to leave the form of its lines; null for any other. */
function parseSearch(args: readonly Field[]): { parsed: ParsedOptions; files: readonly Field[] } | null {
  const parsed = parseOptions(args, { short: "em", long: ["regexp", "max-count"] });
  if (!isFixed(args) || ![...parsed.options.keys()].every((name) => NUMBERED_SEARCH.has(name))) return null;
  return { parsed, files: parsed.operands.slice(optionValues(parsed, "-e", "--regexp").length > 0 ? 0 : 1) };
}

/** Whether it keeps only what each line starts with: `cut -d: -f1`, `awk '{print $1}'`. */
export function keepsLead(program: string, args: readonly Field[], lead: Lead): boolean {
  const words = args.map(({ text }) => text).join("\n");
  switch (program) {
    case "cut":
      return lead.before === ":"
        ? /^-d\n?:\n-f\n?1$|^-f\n?1\n-d\n?:$/.test(words)
        : /^-d\n? \n-f\n?1$|^-f\n?1\n-d\n? $/.test(words);
    case "awk":
    case "gawk":
    case "mawk": {
      const script = lead.before === ":" ? /^-F\n?:\n([\s\S]*)$/.exec(words)?.[1] : words;
      // With a condition on the line: `$3 != "Running" {print $1}`.
      return /^(?:NR\s*(?:==|[<>]=?)\s*\d+|\/[\w .:-]*\/|\$\d+\s*(?:[!=]=|!?~|[<>]=?)\s*(?:"[\w .:/-]*"|\/[\w .:-]*\/|\d+))?\s*\{\s*print \$1;?(?:\s*exit;?)?\s*\}$/.test(
        script ?? "",
      );
    }
    case "sed":
      return words === (lead.before === ":" ? "s/:.*//" : "s/ .*//");
    default:
      return false;
  }
}

/** Options of filters that leave whole lines. With `-c`, `tail` may start in the middle of one. */
const KEEPS_LINES = /^-(?:n?\+?\d+|n|[nrufghV]+|k\d+(?:,\d+)?[nr]*)$|^\+?\d+$/;

/** No word could be an option that is not seen here. */
function isFixed(args: readonly Field[]): boolean {
  return args.every(({ text }) => isKnown(text) || (!text.startsWith(HOLE) && !text.startsWith("-")));
}

function leadOfLog(args: readonly Field[]): Lead | null {
  const known = programNamed("git");
  if (known === undefined) return null;
  const { verb, options, unknown } = readUse(known, "git", args);
  if (unknown !== null || verb !== "log") return null;
  const names = options.filter(({ isGlobal }) => !isGlobal).map(({ name }) => name);
  const formats = options.filter(({ name }) => name === "--format" || name === "--pretty");
  const isShort = names.includes("--oneline") && formats.length === 0;
  const startsWithHash =
    formats.length > 0 &&
    formats.every(({ value }) => /^(?:t?format:)?%[hH] (?!.*%(?:n|b|B|N|x))/.test(value?.text ?? ""));
  return (isShort || startsWithHash) && names.every((name) => ONE_LINE.has(name)) ? NUMBER_BEFORE_BLANK : null;
}

/** Options of `git log` with which each commit takes one line. */
const ONE_LINE: ReadonlySet<string> = new Set(
  "--oneline --format --pretty --date -n --max-count -1 -2 -3 -4 -5 --skip --since --until --after --before --author --grep --all --branches --tags --no-merges --merges --reverse --first-parent --no-decorate --follow -i".split(
    " ",
  ),
);

/** A table of resources: the cluster allows no other names than letters, digits, dots and dashes inside. */
function leadOfTable(args: readonly Field[]): Lead | null {
  if (commandWords("kubectl", args)[0] !== "get" || !isFixed(args)) return null;
  const parsed = parseOptions(args, {
    short: "nlLo",
    long: ["namespace", "selector", "field-selector", "sort-by", "context", "output"],
  });
  const formats = optionValues(parsed, "-o", "--output").map(({ text }) => text);
  const isTable = [...parsed.options.keys()].every((name) => TABLE_OPTIONS.has(name));
  return isTable && formats.every((text) => text === "wide") ? NAME_BEFORE_BLANK : null;
}

/** Options with which it still prints a table that starts with the names. */
const TABLE_OPTIONS: ReadonlySet<string> = new Set(
  "-n --namespace -l --selector -L -A --all-namespaces -o --output --field-selector --sort-by --context --no-headers --show-labels".split(
    " ",
  ),
);
