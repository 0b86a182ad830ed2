import type { CloseReason, TerminalId, TerminalInfo } from "@belay/protocol";
import { and, eq, gte, inArray, isNotNull, isNull, lt, or } from "drizzle-orm";
import type { Db } from "../../database.ts";
import { change, queriesOf, rowsOf } from "../../queries.ts";

export interface MachineTerminal {
  terminalId: TerminalId;
  machine: string;
  /** As it was when it started; null if that was never heard. */
  info: TerminalInfo | null;
  isOpen: boolean;
  /** Its whole recording is on this machine, too. */
  isCopied: boolean;
  /** Why it is to end as soon as its machine is back. */
  endReason: CloseReason | null;
}

/** Before it is started: from now on it is known where the terminal is. */
export async function insertMachineTerminal(
  db: Db,
  row: { terminalId: TerminalId; machine: string; openedAt: number },
): Promise<void> {
  const { orm, machineTerminals } = queriesOf(db);
  await change(orm.insert(machineTerminals).values(row));
}

export async function saveMachineTerminal(db: Db, terminal: TerminalInfo): Promise<void> {
  const { orm, machineTerminals } = queriesOf(db);
  const info = JSON.stringify(terminal);
  await change(orm.update(machineTerminals).set({ info }).where(eq(machineTerminals.terminalId, terminal.id)));
}

export async function deleteMachineTerminal(db: Db, terminalId: TerminalId): Promise<void> {
  const { orm, machineTerminals } = queriesOf(db);
  await change(orm.delete(machineTerminals).where(eq(machineTerminals.terminalId, terminalId)));
}

export async function closeMachineTerminal(db: Db, terminalId: TerminalId, closedAt: number): Promise<void> {
  const { orm, machineTerminals } = queriesOf(db);
  const isThat = and(eq(machineTerminals.terminalId, terminalId), isNull(machineTerminals.closedAt));
  // How it was started is needed only while it is open.
  await change(orm.update(machineTerminals).set({ closedAt, info: null }).where(isThat));
}

export async function markToEnd(db: Db, terminalId: TerminalId, endReason: CloseReason): Promise<void> {
  const { orm, machineTerminals } = queriesOf(db);
  await change(orm.update(machineTerminals).set({ endReason }).where(eq(machineTerminals.terminalId, terminalId)));
}

/** The record has no more rows of terminals that closed before this. */
export async function removeMachineTerminals(db: Db, closedBefore: number): Promise<void> {
  const { orm, machineTerminals } = queriesOf(db);
  await change(orm.delete(machineTerminals).where(lt(machineTerminals.closedAt, closedBefore)));
}

/** Of this gateway's machines: terminals that are open, closed since then, or whose recording is still on their machine alone. */
export async function listMachineTerminals(db: Db, closedSince: number): Promise<MachineTerminal[]> {
  const { orm, machineTerminals, machines, gateway } = queriesOf(db);
  const own = orm.select({ name: machines.name }).from(machines).where(eq(machines.gateway, gateway));
  const isNeeded = or(
    isNull(machineTerminals.closedAt),
    gte(machineTerminals.closedAt, closedSince),
    isNull(machineTerminals.copiedAt),
  );
  const rows = await rowsOf(
    orm
      .select()
      .from(machineTerminals)
      .where(and(isNeeded, inArray(machineTerminals.machine, own))),
  );
  return rows.map(({ terminalId, machine, info, closedAt, copiedAt, endReason }) => ({
    terminalId: terminalId as TerminalId,
    machine,
    info: info === null ? null : (JSON.parse(info) as TerminalInfo),
    isOpen: closedAt === null,
    isCopied: copiedAt !== null,
    endReason: endReason as CloseReason | null,
  }));
}

/** Closed terminals of a machine whose recordings are still there alone. */
export async function listUncopiedRecordings(db: Db, machine: string): Promise<TerminalId[]> {
  const { orm, machineTerminals } = queriesOf(db);
  const isLeft = and(
    eq(machineTerminals.machine, machine),
    isNotNull(machineTerminals.closedAt),
    isNull(machineTerminals.copiedAt),
  );
  const rows = await rowsOf(orm.select({ id: machineTerminals.terminalId }).from(machineTerminals).where(isLeft));
  return rows.map(({ id }) => id as TerminalId);
}

export async function markRecordingCopied(db: Db, terminalId: TerminalId, copiedAt: number): Promise<void> {
  const { orm, machineTerminals } = queriesOf(db);
  await change(orm.update(machineTerminals).set({ copiedAt }).where(eq(machineTerminals.terminalId, terminalId)));
}
