import type { Moment, TerminalPool } from "@belay/core";
import type { ApprovalId, CommandId } from "@belay/protocol";
import type { OneShotProviders } from "../agents/one-shot-providers.ts";
import type { Walls } from "../agents/walls.ts";
import type { Changes } from "../changes/changes.ts";
import type { Undo } from "../changes/undo.ts";
import { GatewayError } from "../errors.ts";
import type { Judged } from "../policy/policy-judge.ts";
import type { Previews } from "../previews/previews.ts";
import type { AgentRow } from "../store/tables/agents.ts";
import type { AgentSpawner } from "../terminals/shells/agent-spawner.ts";
import type { OnceAct, RunAct, TypeAct } from "./act.ts";
import { type CommandOutcome, isOver } from "./outcome.ts";

/** Performs an act that was judged and, where needed, approved. */
export type Perform = (
  command: { commandId: CommandId; agent: AgentRow },
  approved: Judged,
  taken?: TakenPreview | null,
) => Promise<CommandOutcome>;

/** A preview whose effect is applied instead of a run, and the moment of the workspace when that begins. */
export interface TakenPreview {
  approvalId: ApprovalId;
  begun: Moment | null;
}

interface Deps {
  terminals: TerminalPool;
  spawner: AgentSpawner;
  oneShots: OneShotProviders;
  walls: Walls;
  changes: Pick<Changes, "ended">;
  undo: Undo;
  previews: Pick<Previews, "apply" | "run">;
  /** Allows a waiting connection; false if it is no longer waiting. */
  letThrough: (id: CommandId) => Promise<boolean>;
  /** The environment that a one-shot program inherits. */
  baseEnv: Record<string, string>;
  /** Aborted when the gateway stops; one-shot programs end with it. */
  stopping: AbortSignal;
}

export function createPerform(deps: Deps): Perform {
  const { terminals, spawner, oneShots, walls, letThrough, changes, undo, previews, baseEnv, stopping } = deps;
  return async (command, approved, taken = null) => {
    let goesOn = false;
    try {
      const outcome = taken ? await previews.apply(taken.approvalId, taken.begun) : await perform(command, approved);
      // A spawned terminal ends when it is closed; for a running command the pool reports the end.
      goesOn = outcome.status === "spawned" || !isOver(outcome);
      return outcome;
    } finally {
      if (!goesOn) changes.ended(command.commandId);
    }
  };

  async function perform({ commandId, agent }: Parameters<Perform>[0], { act, keys, binding }: Judged) {
    switch (act.type) {
      case "run":
        if (act.isPreview) {
          const previewed = await previews.run(commandId, { act, agent, cwd: binding.cwd });
          return { status: "previewed" as const, ...previewed };
        }
        return {
          status: "ran" as const,
          report: await terminals.run(act.terminalId, toRun(commandId, act, binding.folder)),
        };
      case "type":
        return type(act, keys);
      case "spawn":
        return {
          status: "spawned" as const,
          terminal: await spawner.spawn(agent, { ...act.request, id: act.terminalId }),
        };
      case "client":
        return { status: "cleared" as const };
      case "connect":
        return { status: "connected" as const, waited: await letThrough(commandId) };
      case "once":
        return {
          status: "done" as const,
          result: await oneShots.forAgent(agent).run(toOneShot(commandId, act, walls.environmentOf(agent, baseEnv))),
        };
      case "undo": {
        const { undoneId, range, only, fingerprint, skipsConflicts } = act;
        const undoes = { type: "command", commandId: undoneId } as const;
        const by = { type: "agent", id: agent.id } as const;
        const choice = { ...(only ? { paths: only } : {}), fingerprint, skipsConflicts };
        const result = await undo.perform({ commandId, undoes, range, by }, choice);
        return { status: "undo" as const, undoneId, result };
      }
    }
  }

  async function type(act: TypeAct, keys: string): Promise<CommandOutcome> {
    const { terminalId, reader, runningId, wait } = act;
    if (runningId === null) throw new GatewayError("bad-request", "Nothing is running in this terminal.");
    const { position } = await terminals.get(terminalId);
    const { readsLines, processes } = reader;
    const readerPids = processes.map(({ pid }) => pid);
    const typed = await terminals.type(terminalId, { text: keys, readerPids, readsLines });
    const report = await terminals.waitFor(terminalId, runningId, wait);
    const keptBackCharacters = keys.length - typed.typedCharacters;
    return {
      status: "ran",
      report: { ...report, startPosition: Math.max(position, report.startPosition) },
      ...(keptBackCharacters > 0 ? { keptBackCharacters } : {}),
    };
  }

  function toOneShot(commandId: CommandId, { type: _, env, ...act }: OnceAct, inherited: Record<string, string>) {
    return { ...act, env: { ...inherited, ...env }, signal: stopping, marker: commandId };
  }
}

/** `folder` is the one that was judged: a shell that has left it, or whose path now means another folder, runs nothing. */
function toRun(commandId: CommandId, { line, wait, cwd, env, task }: RunAct, folder: string | null) {
  return {
    commandId,
    line,
    wait,
    ...(folder === null ? {} : { folderId: folder }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
    ...(task === undefined ? {} : { task }),
  };
}
