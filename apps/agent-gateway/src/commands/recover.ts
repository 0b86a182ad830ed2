import { resumeApplies, type TerminalHost } from "@belay/core";
import type { Logger } from "pino";
import type { Approvals } from "../approvals/approvals.ts";
import type { CommandRecords } from "../audit/command-records.ts";
import type { Changes } from "../changes/changes.ts";
import { resumeChanges } from "../changes/resume-changes.ts";
import type { Settings } from "../env.ts";
import type { EventBus } from "../events.ts";
import type { Fleet } from "../machines/fleet.ts";
import type { RecordingCopies } from "../machines/recording-copies.ts";
import { settleMachines } from "../machines/settle-machines.ts";
import type { ShellMemories } from "../policy/memories/shell-memories.ts";
import { type Previews, previewsDirOf } from "../previews/previews.ts";
import type { Db } from "../store/database.ts";
import { type CommandRow, listOpenCommands } from "../store/tables/commands.ts";
import type { AgentTerminals } from "../terminals/shells/agent-terminals.ts";
import type { Act } from "./act.ts";
import type { Commands } from "./commands.ts";
import type { Connections } from "./connections.ts";
import { settleInterrupted } from "./settle-interrupted.ts";

interface Deps {
  settings: Settings;
  db: Db;
  events: EventBus;
  records: CommandRecords;
  commands: Commands;
  approvals: Approvals;
  changes: Changes;
  previews: Previews;
  /** This machine's terminals; the fleet has those of all machines. */
  own: TerminalHost;
  fleet: Fleet;
  recordingCopies: RecordingCopies;
  recordingsDir: string;
  shellMemories: ShellMemories;
  agentTerminals: AgentTerminals;
  connections: Pick<Connections, "isWaiting" | "settled">;
  log: Logger;
  now: () => number;
}

/** Recovers the state of this machine that an earlier gateway left: closes what has ended, and resumes the rest. */
export async function recoverOwn(deps: Deps): Promise<void> {
  const { settings, db, records, commands, connections, approvals, changes, previews } = deps;
  const { own, fleet, agentTerminals, log } = deps;
  // An apply that was cut off is finished before anything looks at the files.
  for (const dir of await resumeApplies(previewsDirOf(settings.dataDir)))
    log.warn({ dir }, "a preview that was being applied when Belay stopped was applied to its end");
  const open = (await fleet.terminals.list()).map(({ id }) => id);
  await Promise.all([deps.shellMemories.keepOnly(open), agentTerminals.keepOnly(open)]);
  const endChanges = await resumeChanges(db, changes);
  const isHere = ({ terminalId }: Pick<CommandRow, "terminalId">) =>
    terminalId === null || fleet.machineOf(terminalId) === null;
  const waiting = await approvals.waitingCommands();
  // This machine has said by now which connections still wait. The others ended with their program, which was not heard.
  for (const row of await listOpenCommands(db))
    if (isHere(row) && isConnection(row) && !connections.isWaiting(row.id)) waiting.delete(row.id);
  await settleInterrupted(own, records, waiting, { recordingsDir: deps.recordingsDir, isSettledNow: isHere });
  await endChanges();
  await commands.resume((act, id) => {
    if (act.type === "connect") return () => connections.settled(id);
    return act.type === "run" ? agentTerminals.keep(act.terminalId) : () => {};
  });
  previews.clean();
}

function isConnection({ request }: CommandRow): boolean {
  return request !== null && (JSON.parse(request) as { act: Act }).act.type === "connect";
}

/** Does the same for each other machine when it connects. Returns how to stop. */
export function recoverMachines(deps: Deps): () => void {
  const { records, approvals, fleet, recordingCopies, recordingsDir } = deps;
  return settleMachines({
    ...deps,
    settle: async (name, openedBefore) => {
      const host = fleet.hostOf({ machine: name });
      await recordingCopies.bringClosed(name);
      await settleInterrupted(host, records, await approvals.waitingCommands(), {
        recordingsDir,
        isSettledNow: ({ terminalId, openedAt }) =>
          terminalId !== null && fleet.machineOf(terminalId) === name && openedAt < openedBefore,
      });
    },
    bring: (name) => recordingCopies.bringClosed(name),
  });
}
