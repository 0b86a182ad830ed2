import type { CommandId, TerminalId } from "@belay/protocol";
import { and, desc, eq, inArray } from "drizzle-orm";
import type { Db } from "../database.ts";
import { queriesOf, rowsOf } from "../queries.ts";
import type { CommandRow } from "./commands.ts";

export interface CommandStep {
  commandId: CommandId;
  type: string;
  /** JSON, as the record has it. */
  detail: string;
}

/** The newest commands of a terminal, newest first. */
export async function listCommandsOf(db: Db, terminalId: TerminalId, limit: number): Promise<CommandRow[]> {
  const { orm, commands } = queriesOf(db);
  const newest = orm
    .select()
    .from(commands)
    .where(eq(commands.terminalId, terminalId))
    .orderBy(desc(commands.openedAt))
    .limit(limit);
  return (await rowsOf(newest)) as CommandRow[];
}

/** The verdicts, answers and starts of these commands, in order. */
export async function listStepsOf(db: Db, ids: readonly CommandId[]): Promise<CommandStep[]> {
  const { orm, auditEvents, recordOrder } = queriesOf(db);
  const steps = orm
    .select({ commandId: auditEvents.commandId, type: auditEvents.type, detail: auditEvents.detail })
    .from(auditEvents)
    .where(
      and(
        inArray(auditEvents.commandId, [...ids]),
        inArray(auditEvents.type, ["command.judged", "command.answered", "command.started", "command.reported"]),
      ),
    )
    .orderBy(...recordOrder);
  return (await rowsOf(steps)) as CommandStep[];
}

/** When questions about a terminal's commands were asked and answered, in order. */
export async function listApprovalStepsIn(
  db: Db,
  terminalId: TerminalId,
  limit: number,
): Promise<(CommandStep & { at: number })[]> {
  const { orm, auditEvents, recordOrder } = queriesOf(db);
  const steps = orm
    .select({
      at: auditEvents.at,
      commandId: auditEvents.commandId,
      type: auditEvents.type,
      detail: auditEvents.detail,
    })
    .from(auditEvents)
    .where(
      and(eq(auditEvents.terminalId, terminalId), inArray(auditEvents.type, ["command.asked", "command.answered"])),
    )
    .orderBy(...recordOrder)
    .limit(limit);
  return (await rowsOf(steps)) as (CommandStep & { at: number })[];
}
