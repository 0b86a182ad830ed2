import type { CommandId } from "@belay/protocol";
import type { Db } from "../store/database.ts";
import { listStepsOf } from "../store/tables/command-timeline.ts";
import { listOpenCommands } from "../store/tables/commands.ts";
import type { ChangeMark, Changes } from "./changes.ts";

/**
 * Resumes the commands that an earlier gateway left open: the record says at which snapshot each began.
 * Once their records are settled, call the returned function to finish those that have ended.
 */
export async function resumeChanges(db: Db, changes: Changes): Promise<() => Promise<void>> {
  const open = await listOpenCommands(db);
  const terminals = new Map(open.map(({ id, terminalId }) => [id, terminalId]));
  const taken: CommandId[] = [];
  for (const { commandId, type, detail } of await listStepsOf(db, [...terminals.keys()])) {
    if (type !== "command.started") continue;
    const { history } = JSON.parse(detail) as { history?: ChangeMark };
    if (!history) continue;
    changes.resume(commandId, history, terminals.get(commandId) ?? null);
    taken.push(commandId);
  }
  return async () => {
    const stillOpen = new Set((await listOpenCommands(db)).map(({ id }) => id));
    for (const id of taken) if (!stillOpen.has(id)) changes.ended(id);
  };
}
