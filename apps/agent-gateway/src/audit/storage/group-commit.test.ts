import { expect, test } from "vitest";
import { GroupCommit, Refused } from "./group-commit.ts";

/** A disk that completes writes when the test says so. */
function slowDisk() {
  const batches: string[][] = [];
  const written: string[] = [];
  const flushes: { done: () => void; fail: (error: Error) => void }[] = [];
  const commits = new GroupCommit<string, string>({
    write: (entries) => {
      batches.push([...entries]);
      if (entries.includes("full")) throw new Error("disk full");
      return entries.map((entry) => (entry === "refused" ? new Refused(new Error("no")) : entry.toUpperCase()));
    },
    flush: () => new Promise((done, fail) => flushes.push({ done, fail })),
    flushNow: () => {},
    batchOf: (entries) => Math.min(entries.length, 5),
    afterFlush: () => null,
    isSeenAtOnce: (entry) => entry === "seen",
    onWritten: (entry) => void written.push(entry),
  });
  const settled: string[] = [];
  const add = (entry: string) =>
    commits.add(entry).then(
      (result) => void settled.push(result),
      (error: Error) => void settled.push(`${entry}: ${error.message}`),
    );
  return { commits, batches, written, flushes, settled, add };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("G2 a row is acknowledged only once it is on disk", async () => {
  const { flushes, settled, add } = slowDisk();
  const added = add("a");
  await turn();
  await turn();
  expect(settled).toEqual([]);

  flushes[0]?.done();
  await added;

  expect(settled).toEqual(["A"]);
});

test("G2 a caller may be told that its row is written before it is on disk, unless it was refused", async () => {
  const { written, flushes, settled, add } = slowDisk();
  const added = [add("a"), add("refused")];
  await turn();
  await turn();

  expect({ written, settled }).toEqual({ written: ["a"], settled: [] });
  flushes[0]?.done();
  await Promise.all(added);
});

test("G2 rows that arrive while the disk is busy are written together, in order", async () => {
  const { batches, flushes, settled, add } = slowDisk();
  const first = add("a");
  await turn();
  const others = [add("b"), add("c"), add("refused"), add("d")];
  await turn();
  expect(batches).toEqual([["a"]]);

  flushes[0]?.done();
  await first;
  await turn();
  flushes[1]?.done();
  await Promise.all(others);

  expect(batches).toEqual([["a"], ["b", "c", "refused", "d"]]);
  expect(settled).toEqual(["A", "B", "C", "refused: no", "D"]);
});

test("G2 a failed write rejects all of its callers, and later writes are tried again", async () => {
  const { flushes, settled, add } = slowDisk();
  const refused = [add("full"), add("a")];
  await Promise.all(refused);
  const lost = add("b");
  await turn();
  flushes[0]?.fail(new Error("input/output error"));
  await lost;
  const last = add("c");
  await turn();
  flushes[1]?.done();
  await last;

  expect(settled).toEqual(["full: disk full", "a: disk full", "b: input/output error", "C"]);
});

test("G2 a synchronous flush writes everything to disk before it returns", async () => {
  const { commits, batches, settled, add } = slowDisk();
  const added = [add("a"), add("b")];

  commits.flushNow();

  expect(batches).toEqual([["a", "b"]]);
  await Promise.all(added);
  expect(settled).toEqual(["A", "B"]);
});

test("G2 what others see as soon as it is written is told in the same turn of the event loop", async () => {
  const { flushes, settled, add } = slowDisk();
  const added = [add("a"), add("seen")];
  let settledInNextTurn: string[] = [];
  setImmediate(() => setImmediate(() => (settledInNextTurn = [...settled])));

  await Promise.all(added);
  await turn();
  await turn();

  expect(flushes).toEqual([]);
  expect(settledInNextTurn).toEqual(["A", "SEEN"]);
});
