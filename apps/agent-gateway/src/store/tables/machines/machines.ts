import { asc, eq } from "drizzle-orm";
import type { Db } from "../../database.ts";
import { change, queriesOf, rowOf, rowsOf } from "../../queries.ts";
import type { machines as table } from "../../schema.ts";

export type MachineRow = typeof table.$inferSelect;

export async function insertMachine(db: Db, row: MachineRow): Promise<void> {
  const { orm, machines } = queriesOf(db);
  await change(orm.insert(machines).values(row));
}

export async function listMachines(db: Db): Promise<MachineRow[]> {
  const { orm, machines } = queriesOf(db);
  return rowsOf(orm.select().from(machines).orderBy(asc(machines.createdAt), asc(machines.name)));
}

export async function findMachine(db: Db, name: string): Promise<MachineRow | undefined> {
  const { orm, machines } = queriesOf(db);
  return rowOf(orm.select().from(machines).where(eq(machines.name, name)));
}

export async function findMachineByKey(db: Db, publicKey: string): Promise<MachineRow | undefined> {
  const { orm, machines } = queriesOf(db);
  return rowOf(orm.select().from(machines).where(eq(machines.publicKey, publicKey)));
}

export async function findMachineByTokenKey(db: Db, tokenKey: string): Promise<MachineRow | undefined> {
  const { orm, machines } = queriesOf(db);
  return rowOf(orm.select().from(machines).where(eq(machines.tokenKey, tokenKey)));
}

export async function updateMachine(db: Db, name: string, changes: Partial<Omit<MachineRow, "name">>): Promise<void> {
  const { orm, machines } = queriesOf(db);
  await change(orm.update(machines).set(changes).where(eq(machines.name, name)));
}
