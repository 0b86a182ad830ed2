import { asc, eq } from "drizzle-orm";
import type { Db } from "../../database.ts";
import { change, queriesOf, rowOf, rowsOf } from "../../queries.ts";
import type { machines as table } from "../../sqlite/schema/index.ts";

export type MachineRow = typeof table.$inferSelect;

/** A machine that joins this gateway. */
export async function insertMachine(db: Db, row: Omit<MachineRow, "gateway">): Promise<void> {
  const { orm, machines, gateway } = queriesOf(db);
  await change(orm.insert(machines).values({ ...row, gateway }));
}

/** The machines of all gateways. */
export async function listMachines(db: Db): Promise<MachineRow[]> {
  const { orm, machines } = queriesOf(db);
  return rowsOf(orm.select().from(machines).orderBy(asc(machines.createdAt), asc(machines.name)));
}

export async function listOwnMachines(db: Db): Promise<MachineRow[]> {
  const { orm, machines, gateway } = queriesOf(db);
  return rowsOf(orm.select().from(machines).where(eq(machines.gateway, gateway)));
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

type MachineChanges = Partial<Omit<MachineRow, "name" | "gateway">>;

export async function updateMachine(db: Db, name: string, changes: MachineChanges): Promise<void> {
  const { orm, machines } = queriesOf(db);
  await change(orm.update(machines).set(changes).where(eq(machines.name, name)));
}

/** The same, and from now on it is a machine of this gateway. */
export async function claimMachine(db: Db, name: string, changes: MachineChanges): Promise<void> {
  const { orm, machines, gateway } = queriesOf(db);
  await change(
    orm
      .update(machines)
      .set({ ...changes, gateway })
      .where(eq(machines.name, name)),
  );
}
