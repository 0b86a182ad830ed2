import type { TerminalPool } from "@belay/core";
import type { Logger } from "pino";
import { WallOpeningsReader } from "../agents/wall-openings.ts";
import type { Walls } from "../agents/walls.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { Changes } from "../changes/changes.ts";
import type { Settings } from "../env.ts";
import type { EventBus } from "../events.ts";
import type { Places } from "../machines/places.ts";
import type { Db } from "../store/database.ts";
import type { AgentRow } from "../store/tables/agents.ts";
import type { OutputTexts } from "../terminals/output/output-text.ts";
import { ShellMemories } from "./memories/shell-memories.ts";
import { PolicyChanges } from "./policy-changes.ts";
import { PolicyDrafts } from "./policy-drafts.ts";
import { PolicyJudge } from "./policy-judge.ts";
import { PolicyStore } from "./policy-store.ts";
import { RuleFinder } from "./rule-finder.ts";
import type { JudgeThreads } from "./threads/judge-threads.ts";

export interface PolicyRoom {
  policy: PolicyStore;
  policyChanges: PolicyChanges;
  policyDrafts: PolicyDrafts;
  ruleFinder: RuleFinder;
  shellMemories: ShellMemories;
}

interface JudgeDeps extends Pick<PolicyRoom, "policy" | "shellMemories"> {
  judgeThreads: JudgeThreads;
  settings: Settings;
  db: Db;
  now: () => number;
  terminals: TerminalPool;
  outputTexts: OutputTexts;
  walls: Walls;
  places: Places;
  changes: Changes;
}

/** Opens the active policy, its changes, and the judge's memory of each shell. */
export async function openPolicy(deps: {
  settings: Settings;
  db: Db;
  audit: AuditLog;
  events: EventBus;
  log: Logger;
  now: () => number;
  judgeThreads: JudgeThreads;
}): Promise<PolicyRoom> {
  const { judgeThreads } = deps;
  const policy = await PolicyStore.open(deps);
  const policyChanges = new PolicyChanges({ ...deps, store: policy, judgeThreads });
  return {
    policy,
    policyChanges,
    ruleFinder: new RuleFinder({ ...deps, store: policy, judgeThreads, policyChanges }),
    policyDrafts: new PolicyDrafts({ ...deps, store: policy, judgeThreads }),
    shellMemories: await ShellMemories.open(deps.db),
  };
}

/** Opens the judge of agents' requests, which takes their terminal into account. */
export function openJudge({ settings, policy, shellMemories, judgeThreads, ...deps }: JudgeDeps): PolicyJudge {
  const searchPath = settings.terminalEnv.PATH ?? "";
  const hasUndo = (agent: AgentRow) => deps.changes.isKept(agent);
  const openings = new WallOpeningsReader({ ...deps, hasUndo });
  const judging = { store: policy, memories: shellMemories, threads: judgeThreads, openings, searchPath };
  return new PolicyJudge({ ...deps, ...judging });
}
