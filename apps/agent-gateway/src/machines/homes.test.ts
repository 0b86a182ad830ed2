import type { TerminalId, TerminalInfo } from "@belay/protocol";
import { expect, test } from "vitest";
import { removeMachineTerminals } from "../store/tables/machines/machine-terminals.ts";
import { insertMachine } from "../store/tables/machines/machines.ts";
import { openTestRecord } from "../testing/write-record.ts";
import { Homes } from "./homes.ts";

const DAY_MS = 24 * 3_600_000;
const id = (name: string) => `pty-${name}` as TerminalId;
const started = (name: string) => ({ id: id(name) }) as TerminalInfo;

test("G7 what is to end on a machine that is away is still known after a restart, until it has ended", async () => {
  const { open } = await openHomes();
  const homes = await open();
  await homes.add(id("a"), "build-1");
  await homes.add(id("b"), "build-1");
  await homes.endLater(id("a"), "agent-reset");

  const next = await open();
  expect(next.due("build-1")).toEqual([[id("a"), "agent-reset"]]);
  expect(next.due("gpu")).toEqual([]);
  next.closed(id("a"));

  expect(next.due("build-1")).toEqual([]);
  expect((await open()).due("build-1")).toEqual([]);
});

test("G7 a closed terminal is forgotten a day after its recording was copied, and an open one never", async () => {
  const { open, clock, db } = await openHomes();
  const homes = await open();
  for (const name of ["open", "uncopied", "done", "later"]) {
    await homes.add(id(name), "build-1");
    homes.started(started(name));
  }
  for (const name of ["uncopied", "done", "later"]) homes.closed(id(name));
  homes.settled(id("done"));
  clock.now += DAY_MS;
  expect(homes.machineOf(id("done"))).toBe("build-1");
  homes.settled(id("later"));

  expect(homes.machineOf(id("done"))).toBeNull();
  for (const name of ["open", "uncopied", "later"]) expect(homes.machineOf(id(name)), name).toBe("build-1");
  expect(homes.openBefore("build-1")).toEqual([]);
  expect((await open()).openBefore("build-1")).toEqual([started("open")]);

  // With the rows of the record, the terminals that closed before leave the database.
  await removeMachineTerminals(db, clock.now);
  const last = await open();
  expect(last.machineOf(id("uncopied"))).toBeNull();
  expect(last.machineOf(id("open"))).toBe("build-1");
});

test("G7 the terminals of a revoked machine are forgotten, too", async () => {
  const { open, clock } = await openHomes();
  const homes = await open();
  await homes.add(id("a"), "build-1");
  await homes.add(id("b"), "gpu");
  homes.closed(id("a"));
  homes.dropped("build-1");
  clock.now += DAY_MS;
  homes.settled(id("b"));

  expect(homes.machineOf(id("a"))).toBeNull();
  expect(homes.machineOf(id("b"))).toBe("gpu");
});

async function openHomes() {
  const { db, clock } = openTestRecord();
  const unset = { publicKey: null, tokenKey: null, tokenExpiresAt: null, hostId: null, facts: null };
  for (const name of ["build-1", "gpu"])
    await insertMachine(db, { name, ...unset, createdAt: 1, joinedAt: null, seenAt: null, revokedAt: null });
  const fail = (error: unknown) => {
    throw error;
  };
  return { db, clock, open: () => Homes.open({ db, now: () => clock.now, onFailed: fail }) };
}
