import { isKnown } from "../../language/state/values.ts";

/**
 * Verbs that list, compare or check, whatever the program is. `get` and `show` are not among them: they print what
 * something holds, which may be a secret.
 */
const LOOKS: ReadonlySet<string> = new Set(
  (
    "list ls status version info search find diff compare validate lint check test tests plan doctor explain whoami ping count stats stat help completion " +
    "completions history health verify preview fmt format usage limits quotas top ps log logs tail tree outdated audit coverage bench benchmark"
  ).split(" "),
);
/** First words of tools that turn files of the project into others. */
const BUILDS: ReadonlySet<string> = new Set(
  "build compile generate gen convert render transpile minify typecheck analyze scan parse bundle docs doc".split(" "),
);
/** Verbs whose object may have the name of another verb: `create list`, `add check`. */
const MAKES: ReadonlySet<string> = new Set(
  "create add new make set update edit modify insert append put write import load start enable assign attach grant move rename copy cp mv install".split(
    " ",
  ),
);
/** `inventedlint`, `invented-check`. */
const CHECKER = /^[\w.-]+(?:lint|linter|fmt|check|checker|diff|grep)$/;

/** `compute instance list`: a verb may follow the thing that it is about. */
const MAX_VERBS = 3;

/**
 * Whether a program without a table says that it only looks at something, or works on the project's files. Only words
 * before the first option count: a later one may be the value of an option.
 */
export function saysHarmless(program: string, args: readonly { readonly text: string }[]): boolean {
  if (CHECKER.test(program)) return true;
  const options = args.findIndex(({ text }) => text.startsWith("-"));
  const verbs = (options < 0 ? args : args.slice(0, options))
    .slice(0, MAX_VERBS)
    .flatMap(({ text }) => (isKnown(text) && text.length <= 40 ? text.toLowerCase().split(":") : []));
  const [first = ""] = verbs;
  if (verbs.some((verb) => MAKES.has(verb.split("-", 1)[0] ?? ""))) return false;
  return BUILDS.has(first) || verbs.some((verb) => LOOKS.has(verb) || LOOKS.has(verb.split("-", 1)[0] ?? ""));
}
