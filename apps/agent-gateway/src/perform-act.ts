import { defaultShellPath, runOnce, type TerminalPool } from "@belay/core";
import type { CommandId } from "@belay/protocol";
import type { OnceAct, RunAct, TypeAct } from "./act.ts";
import type { AgentSpawner } from "./agent-spawner.ts";
import type { CommandOutcome } from "./command-outcome.ts";
import { GatewayError } from "./errors.ts";
import type { Judged } from "./policy/policy-judge.ts";
import type { AgentRow } from "./store/agents.ts";

/** Does what was judged and approved, on the terminals. */
export type Perform = (command: { commandId: CommandId; agent: AgentRow }, approved: Judged) => Promise<CommandOutcome>;

interface Deps {
  terminals: TerminalPool;
  spawner: AgentSpawner;
  /** What a program that runs once inherits. */
  baseEnv: Record<string, string>;
  /** The gateway stops: whatever runs once and is not done ends with it. */
  stopping: AbortSignal;
}

export function createPerform({ terminals, spawner, baseEnv, stopping }: Deps): Perform {
  return async ({ commandId, agent }, { act, keys }) => {
    switch (act.type) {
      case "run":
        return { status: "ran", report: await terminals.run(act.terminalId, toRun(commandId, act)) };
      case "type":
        return type(act, keys);
      case "spawn":
        return { status: "spawned", terminal: await spawner.spawn(agent.id, { ...act.request, id: act.terminalId }) };
      case "once":
        await spawner.providerOf(agent.id);
        return { status: "done", result: await runOnce(toRunOnce(commandId, act)) };
    }
  };

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

  function toRunOnce(commandId: CommandId, { program, cwd, env, stdin, timeoutMs, maxOutputBytes }: OnceAct) {
    const argv: [string, ...string[]] =
      program.type === "argv" ? program.argv : [defaultShellPath(baseEnv.PATH ?? ""), "-c", program.script];
    return {
      argv,
      cwd,
      env: { ...baseEnv, ...env },
      ...(stdin === null ? {} : { input: stdin }),
      timeoutMs,
      maxOutputBytes,
      signal: stopping,
      marker: commandId,
    };
  }
}

function toRun(commandId: CommandId, { line, wait, cwd, env, task }: RunAct) {
  return {
    commandId,
    line,
    wait,
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
    ...(task === undefined ? {} : { task }),
  };
}
