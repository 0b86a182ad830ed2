/**
 * How many questions a wall saves: asks per 100 labelled lines, without a wall and in a sandbox with its default network. Only the
 * verdicts are counted; nothing is run. `BENCH_QUESTIONS_SVG` names a file for the picture.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { defaultPolicy, freshWall, parseLabelled, type ScoredLine, scoreLine } from "@belay/policy/scoring";
import { drawQuestions, type QuestionCount } from "./harness/questions-picture.ts";
import { addRow } from "./harness/report.ts";

/** Lines of work, by file. The first three are days of typical work. */
const FILES = {
  daily: "a day of work",
  fresh: "another day",
  agents: "what agents run",
  friction: "safe-looking commands",
  siblings: "near a danger",
  corpus: "the corpus",
} as const;
const SANDBOX = freshWall(defaultPolicy.settings, "sandbox");
/** A team that lists a host of its own: it may be that of a cloud, so commands for clouds ask, too. */
const OWN_HOST = { ...SANDBOX, openings: { ...SANDBOX.openings, hosts: ["cluster.example"] } } as typeof SANDBOX;

const counts = Object.entries(FILES).map(
  ([file, title]): QuestionCount & { allowable: number; withOwnHost: number } => {
    const path = new URL(`../packages/policy/src/corpus/${file}.jsonl`, import.meta.url);
    const lines = parseLabelled(readFileSync(path, "utf8"));
    const [without, behind, withOwnHost] = [null, SANDBOX, OWN_HOST].map((wall) =>
      lines.map((line) => scoreLine(line, defaultPolicy, "standard", wall)),
    ) as [ScoredLine[], ScoredLine[], ScoredLine[]];
    const shares = (isCounted: (line: ScoredLine) => boolean) => ({
      without: asksPerHundred(without.filter(isCounted)),
      behind: asksPerHundred(behind.filter(isCounted)),
    });
    return {
      title,
      lines: lines.length,
      shouldRun: shares(({ wanted }) => wanted === "allow"),
      mayRun: shares(({ wanted }) => wanted !== "deny"),
      allowable: lines.length - without.filter(({ wanted }) => wanted === "deny").length,
      withOwnHost: asksPerHundred(withOwnHost.filter(({ wanted }) => wanted !== "deny")),
    };
  },
);

for (const { title, lines, shouldRun, mayRun, withOwnHost } of counts) {
  addRow({
    what: `asks per 100 lines that should run, in a sandbox: ${title}`,
    measured: `${shouldRun.behind.toFixed(1)} (${lines} lines)`,
    value: shouldRun.behind,
    goal: { atMost: 2 },
    peers: { "without a wall": shouldRun.without.toFixed(1) },
  });
  addRow({
    what: `asks per 100 lines that a person may allow, in a sandbox: ${title}`,
    measured: mayRun.behind.toFixed(1),
    value: mayRun.behind / mayRun.without,
    goal: null,
    peers: {
      "without a wall": mayRun.without.toFixed(1),
      "with a host of the team's own listed": withOwnHost.toFixed(1),
    },
  });
}
const total = (key: "without" | "behind") =>
  counts.reduce((sum, { mayRun, allowable }) => sum + (mayRun[key] * allowable) / 100, 0);
addRow({
  what: "questions about lines that a person may allow, in a sandbox, of those without one: all files",
  measured: `${Math.round(total("behind"))} of ${Math.round(total("without"))}`,
  value: total("behind") / total("without"),
  // Another agent's maker reports 84 % fewer.
  goal: { atMost: 0.16 },
  peers: {},
});
const file = process.env.BENCH_QUESTIONS_SVG;
if (file) writeFileSync(file, drawQuestions(counts));

function asksPerHundred(lines: readonly ScoredLine[]): number {
  return (100 * lines.filter(({ decision }) => decision === "ask").length) / Math.max(1, lines.length);
}
