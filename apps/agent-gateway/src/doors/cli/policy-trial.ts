import { readFileSync } from "node:fs";
import { defaultPolicy, explain, freshWall, type Judgement, judge, loadSecurityFile, type Policy } from "@belay/policy";
import { Decision, type IsolationChoice } from "@belay/protocol";
import { z } from "zod";
import { isolationOf } from "../../agents/isolation.ts";
import type { Settings } from "../../env.ts";
import { machineContext } from "../../policy/machine-context.ts";

export { explain };

export interface TrialOptions {
  readonly profile?: string;
  readonly isolation?: IsolationChoice;
}

/** With settings, as the gateway on this machine would judge; without, for an ordinary user in a workspace. */
export function judgeFor(text: string, options: TrialOptions, policy: Policy, settings?: Settings): Judgement {
  const context = settings ? machineContext(settings, () => []) : {};
  const profile = options.profile ?? policy.settings.defaultProfile;
  const isolation = isolationOf({ isolation: options.isolation ?? null, profile }, policy.settings);
  const wall = isolation === "none" ? null : freshWall(policy.settings, isolation);
  return judge(text, { ...context, profile, wall }, policy);
}

type LoadedPolicy = { ok: true; policy: Policy; notices: readonly string[] } | { ok: false; problems: string[] };

export function loadPolicy(path: string | null): LoadedPolicy {
  if (path === null) return { ok: true, policy: defaultPolicy, notices: [] };
  const text = readText(path);
  if (text === null)
    return { ok: false, problems: [`Cannot read ${path}. Check that it exists and that you may read it.`] };
  const loaded = loadSecurityFile(text);
  if (loaded.ok) return loaded;
  return {
    ok: false,
    problems: loaded.errors.map(
      ({ line, column, path: at, message, fix }) => `${path}:${line}:${column} ${at}: ${message} ${fix}`,
    ),
  };
}

const Case = z.object({ command: z.string(), expect: Decision });

type LoadedCases = { ok: true; cases: z.infer<typeof Case>[] } | { ok: false; problem: string };

export function readCases(path: string): LoadedCases {
  const text = readText(path);
  if (text === null)
    return { ok: false, problem: `Cannot read ${path}. Check that it exists and that you may read it.` };
  const cases: z.infer<typeof Case>[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const parsed = Case.safeParse(parseJson(line));
    if (!parsed.success)
      return {
        ok: false,
        problem: `${path}:${index + 1} is not {"command": "…", "expect": "allow" | "ask" | "deny"}.`,
      };
    cases.push(parsed.data);
  }
  return { ok: true, cases };
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Any failure leads to the same message, which names the file.
    return null;
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Invalid JSON is not a test case; the schema rejects it.
    return undefined;
  }
}

interface Result {
  readonly command: string;
  readonly expect: Decision;
  readonly decision: Decision;
  readonly rule: string | null;
  readonly layer: string;
}

export function compare(command: string, expect: Decision, verdict: Judgement): Result {
  return { command, expect, decision: verdict.decision, rule: verdict.matches[0]?.rule ?? null, layer: verdict.layer };
}

const RANK = { allow: 0, ask: 1, deny: 2 } as const;

export function summarize(results: readonly Result[]) {
  const count = (isCounted: (result: Result) => boolean) => results.filter(isCounted).length;
  return {
    total: results.length,
    exact: count(({ expect, decision }) => decision === expect),
    unsafe: count(({ expect, decision }) => RANK[decision] < RANK[expect]),
    friction: count(({ expect, decision }) => RANK[decision] > RANK[expect]),
  };
}

export function hasFailed(
  results: readonly Result[],
  { exact, total }: { exact: number; total: number },
  minExact: number,
): boolean {
  const isWrong = results.some(
    ({ expect, decision }) =>
      (expect === "deny" && decision === "allow") || (expect === "allow" && decision === "deny"),
  );
  return isWrong || (total > 0 && (100 * exact) / total < minExact);
}

export function describeDifference({ command, expect, decision, rule, layer }: Result): string {
  return `${expect} expected, ${decision} by ${rule ?? layer}: ${JSON.stringify(command)}`;
}
