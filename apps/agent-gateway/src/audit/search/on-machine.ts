import { type Column, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { OWN_MACHINE } from "../../machines/own-machine.ts";

interface Columns {
  rows: { type: Column; terminalId: Column };
  machineTerminals: { terminalId: Column; machine: Column } & SQLWrapper;
  /** The name in the detail of a row. */
  named: SQL;
}

/** Rows of the terminals on a machine, and about the machine itself. */
export function isOnMachine(machine: string, { rows, machineTerminals, named }: Columns): SQL {
  const elsewhere = sql`SELECT ${machineTerminals.terminalId} FROM ${machineTerminals}`;
  if (machine === OWN_MACHINE)
    return sql`(${rows.terminalId} IS NOT NULL AND ${rows.terminalId} NOT IN (${elsewhere}))`;
  const there = sql`${elsewhere} WHERE ${machineTerminals.machine} = ${machine}`;
  return sql`(${rows.terminalId} IN (${there}) OR (${rows.type} LIKE 'machine.%' AND ${named} = ${machine}))`;
}
