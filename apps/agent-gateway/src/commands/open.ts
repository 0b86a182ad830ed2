import { Bubblewrap, Containers, ResourceLimiter, type TerminalHost, wallsDirOf } from "@belay/core";
import type { Logger } from "pino";
import type { Agents } from "../agents/agents.ts";
import { OneShotProviders } from "../agents/one-shot-providers.ts";
import { RestoredConfigs } from "../agents/restored-configs.ts";
import type { Walls } from "../agents/walls.ts";
import type { Approvals } from "../approvals/approvals.ts";
import type { Freezer } from "../approvals/freezer.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { CommandRecords } from "../audit/command-records.ts";
import type { Changes } from "../changes/changes.ts";
import type { Undo } from "../changes/undo.ts";
import type { Settings } from "../env.ts";
import type { PolicyJudge } from "../policy/policy-judge.ts";
import type { PolicyStore } from "../policy/policy-store.ts";
import type { Previews } from "../previews/previews.ts";
import type { Db } from "../store/database.ts";
import type { AgentSpawner } from "../terminals/shells/agent-spawner.ts";
import { Commands } from "./commands.ts";
import { Connections } from "./connections.ts";
import { FinishedCommands } from "./finished.ts";
import { createPerform } from "./perform-act.ts";
import type { SubmitDeps } from "./submit-command.ts";

export interface CommandRoom {
  commands: Commands;
  oneShots: OneShotProviders;
  connections: Pick<Connections, "isWaiting" | "settled">;
  /** Records the results of commands as they end. */
  finished: FinishedCommands;
  /** Ends one-shot programs, which do not outlive the gateway. Resolves when their containers are gone, too. */
  stopOneShots(): Promise<void>;
}

interface Deps {
  host: TerminalHost;
  settings: Settings;
  db: Db;
  audit: AuditLog;
  records: CommandRecords;
  policy: PolicyStore;
  judge: PolicyJudge;
  approvals: Approvals;
  freezer: Freezer;
  agents: Agents;
  spawner: AgentSpawner;
  walls: Walls;
  changes: Changes;
  undo: Undo;
  previews: Previews;
  whyNotNow: SubmitDeps["whyNotNow"];
  log: Logger;
}

/** Opens the one path of every command, from its verdict to its recorded result. */
export function openCommands({
  host,
  settings,
  policy,
  judge,
  agents,
  spawner,
  walls,
  undo,
  log,
  ...deps
}: Deps): CommandRoom {
  const { terminals } = host;
  const stopping = new AbortController();
  const connections = new Connections({ ...deps, terminals, commands: () => commands, log });
  const restoredConfigs = new RestoredConfigs({ terminals, audit: deps.audit, log });
  const containers = new Containers(wallsDirOf(settings.dataDir));
  // Those of single commands of a gateway that was killed: the host, which may have survived it, does not know them.
  void containers.endLeft();
  const oneShots = new OneShotProviders({
    policy,
    walls,
    networks: connections.networks,
    terminals,
    gitConfigs: restoredConfigs.gitConfigs,
    limits: new ResourceLimiter({ dataDir: settings.dataDir, use: "once" }),
    sandbox: new Bubblewrap(wallsDirOf(settings.dataDir)),
    containers,
    activeName: (agent) => agents.toolDefaults(agent).sessions.provider,
  });
  const perform = createPerform({
    terminals,
    spawner,
    oneShots,
    walls,
    changes: deps.changes,
    undo,
    previews: deps.previews,
    letThrough: (id) => connections.letThrough(id),
    baseEnv: settings.terminalEnv,
    stopping: stopping.signal,
  });
  const commands: Commands = new Commands({ ...deps, agents, policy: judge, terminals, perform });
  return {
    commands,
    oneShots,
    connections,
    finished: new FinishedCommands({ host, finish: (...ended) => commands.finished(...ended), log }),
    stopOneShots: () => {
      stopping.abort();
      connections.close();
      restoredConfigs.close();
      return containers.settle();
    },
  };
}
