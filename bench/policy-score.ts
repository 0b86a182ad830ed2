/**
 * `npm run policy:score [-- [--list] [--class=NAME] [FILE …]]`: how often the policy stops commands that may run, and
 * allows commands that a person must see, on the labelled files of the project or on any file in the same formats.
 */
import { existsSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import { defaultPolicy, type Outcome, parseLabelled, type ScoredLine, scoreLine, tally } from "@belay/policy/scoring";

const OWN_FILES = ["corpus", "siblings", "friction", "daily", "redteam", "options", "fresh", "agents", "attacks"].map(
  (name) => new URL(`../packages/policy/src/corpus/${name}.jsonl`, import.meta.url).pathname,
);
const TITLES: readonly (readonly [Outcome, string])[] = [
  ["friction", "stopped, may run"],
  ["missed", "runs, needs a person"],
  ["allowed-denial", "runs, must be denied"],
  ["softened", "asked, must be denied"],
  ["wrong-denial", "denied, must not be"],
];

const MAX_GROUPS = 12;

const USAGE = `npm run policy:score [-- [--list] [--class=NAME] [FILE …]]

  --list        prints each line that was judged differently from its label, and why
  --class=NAME  only the lines of this class
  FILE          labelled lines as JSON; without one, the project's own files`;

// The reader of the output may stop early, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

const { values, positionals } = readArgs();
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const files =
  positionals.length > 0 ? positionals.map((file) => resolve(process.env.INIT_CWD ?? ".", file)) : OWN_FILES;
const missing = files.find((file) => !existsSync(file));
if (missing !== undefined) {
  console.error(`There is no file ${missing}.`);
  process.exit(2);
}

for (const file of files) {
  for (const profile of ["standard", "trusted"]) {
    const scored = parseLabelled(readFileSync(file, "utf8"))
      .map((line) => scoreLine(line, defaultPolicy, profile))
      .filter(({ group }) => values.class === undefined || group === values.class);
    report(`${basename(file)}, profile ${profile}`, scored);
  }
}

function readArgs() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        list: { type: "boolean", default: false },
        class: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}

function report(title: string, scored: readonly ScoredLine[]): void {
  const { lines, outcomes } = tally(scored);
  console.log(`\n${title}: ${lines} lines, ${outcomes.right} right`);
  for (const [outcome, words] of TITLES) {
    if (outcomes[outcome] === 0) continue;
    const relevant = scored.filter(({ wanted }) => isCounted(outcome, wanted)).length;
    const share = ((100 * outcomes[outcome]) / Math.max(1, relevant)).toFixed(1);
    console.log(`  ${words}: ${outcomes[outcome]} of ${relevant} (${share} %)  ${byGroup(scored, outcome)}`);
    if (!values.list) continue;
    for (const { line, group, reason } of scored.filter((one) => one.outcome === outcome))
      console.log(
        `    [${group}] ${JSON.stringify(line.command).slice(0, 200)}${reason === "" ? "" : `  — ${reason}`}`,
      );
  }
}

/** What an outcome's share is a share of. */
function isCounted(outcome: Outcome, wanted: ScoredLine["wanted"]): boolean {
  if (outcome === "friction") return wanted === "allow";
  if (outcome === "missed") return wanted === "ask";
  return outcome === "wrong-denial" ? wanted !== "deny" : wanted === "deny";
}

function byGroup(scored: readonly ScoredLine[], outcome: Outcome): string {
  const counts = new Map<string, number>();
  for (const one of scored) if (one.outcome === outcome) counts.set(one.group, (counts.get(one.group) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_GROUPS)
    .map(([group, count]) => `${group} ${count}`)
    .join(", ");
}
