import type { Decision } from "@belay/protocol";
import type { WallContext } from "../behind-wall/openings.ts";
import type { JudgeContext } from "../context.ts";
import { judgeTyped } from "../input/judge-typed.ts";
import { inputReaderOf } from "../input/reader.ts";
import { judge } from "../judge.ts";
import { emptyMemory, type ShellMemory } from "../language/state/memory.ts";
import type { Policy } from "../settings/policy.ts";

/**
 * One line of a labelled file. `corpus` and `siblings` have the expected decision, `friction` and `daily` the decision
 * that a team lead wants, and `redteam` the least strict acceptable decision.
 */
export interface LabelledLine {
  readonly command: string;
  readonly expect?: Decision;
  readonly want?: "run" | "ask" | "never" | "deny" | "ask+";
  readonly class?: string;
  readonly kind?: string;
  /** Earlier commands of the same terminal. */
  readonly before?: readonly string[];
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stdin?: string;
  /** The argument list of the program that reads the keys. */
  readonly typed?: readonly string[];
}

/**
 * `friction`: stopped although it may run. `missed`: runs although a person must see it. `allowed-denial`: runs
 * although it must be denied. `softened`: asks although it must be denied. `wrong-denial`: denied although a person may
 * want it.
 */
export type Outcome = "right" | "friction" | "missed" | "allowed-denial" | "softened" | "wrong-denial";

export interface ScoredLine {
  readonly line: LabelledLine;
  readonly group: string;
  readonly wanted: "allow" | "ask" | "deny";
  readonly decision: Decision;
  readonly outcome: Outcome;
  readonly reason: string;
}

const HOME = "/home/agent";
const CONTEXT: Partial<JudgeContext> = {
  home: HOME,
  workspace: `${HOME}/workspace`,
  own: { paths: [`${HOME}/.local/share/belay`], processIds: [4321], ports: [7400] },
};

const WANTED = { run: "allow", ask: "ask", "ask+": "ask", never: "deny", deny: "deny" } as const;
const STRICTNESS: readonly Decision[] = ["allow", "ask", "deny"];

export function parseLabelled(text: string): LabelledLine[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line): LabelledLine => JSON.parse(line));
}

/** Judges a labelled line like the gateway, and compares the decision with the label. */
export function scoreLine(
  line: LabelledLine,
  policy: Policy,
  profile: string,
  wall: WallContext | null = null,
): ScoredLine {
  const wanted = line.want === undefined ? (line.expect ?? "ask") : WANTED[line.want];
  const { decision, reason } = decide(line, policy, { profile, wall });
  const outcome = compare(wanted, decision, { mayBeStricter: line.want === "ask+" });
  return { line, group: line.class ?? line.kind ?? "all", wanted, decision, outcome, reason };
}

function compare(wanted: Decision, decision: Decision, { mayBeStricter }: { mayBeStricter: boolean }): Outcome {
  if (wanted === decision) return "right";
  if (wanted === "deny") return decision === "allow" ? "allowed-denial" : "softened";
  if (decision === "deny") return mayBeStricter ? "right" : "wrong-denial";
  return wanted === "ask" ? "missed" : "friction";
}

/** For a sequence, the strictest step counts. */
function decide(
  line: LabelledLine,
  policy: Policy,
  agent: Pick<JudgeContext, "profile" | "wall">,
): { decision: Decision; reason: string } {
  const context: Partial<JudgeContext> = {
    ...CONTEXT,
    ...agent,
    ...(line.shell === undefined ? {} : { shell: line.shell }),
    ...(line.env === undefined ? {} : { env: line.env }),
    ...(line.cwd === undefined ? {} : { cwd: line.cwd }),
    ...(line.stdin === undefined ? {} : { stdin: line.stdin }),
  };
  if (line.typed !== undefined) {
    const typed = judgeTyped(line.command, inputReaderOf(line.typed), context, policy);
    if (typed.type === "unreadable") return { decision: "deny", reason: typed.reason };
    return { decision: typed.judgement.decision, reason: typed.judgement.matches[0]?.reason ?? "" };
  }
  let memory: ShellMemory = emptyMemory;
  let strictest: Decision = "allow";
  let reason = "";
  for (const text of [...(line.before ?? []), line.command]) {
    const judgement = judge(text, { ...context, memory }, policy);
    memory = judgement.memoryAfter;
    if (STRICTNESS.indexOf(judgement.decision) <= STRICTNESS.indexOf(strictest)) continue;
    strictest = judgement.decision;
    const [first] = judgement.matches;
    reason = first === undefined ? "" : `${first.rule}: ${first.reason}`;
  }
  return { decision: strictest, reason };
}

export interface Tally {
  readonly lines: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
}

export function tally(scored: readonly ScoredLine[]): Tally {
  const outcomes = { right: 0, friction: 0, missed: 0, "allowed-denial": 0, softened: 0, "wrong-denial": 0 };
  for (const { outcome } of scored) outcomes[outcome] += 1;
  return { lines: scored.length, outcomes };
}
