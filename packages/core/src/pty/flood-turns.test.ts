import { afterEach, expect, test, vi } from "vitest";
import { type Flooding, FloodTurns } from "./flood-turns.ts";

const nextLoop = () => new Promise((resolve) => setImmediate(resolve));

afterEach(() => void vi.useRealTimers());

function terminal(name: string, log: string[]): Flooding {
  return { waitForTurn: () => log.push(`${name} waits`), takeTurn: () => log.push(`${name} reads`) };
}

/** Three terminals that have all just begun to flood. */
function floodThree() {
  const log: string[] = [];
  const turns = new FloodTurns();
  const [one, two, three] = [terminal("one", log), terminal("two", log), terminal("three", log)];
  for (const each of [one, two, three]) turns.spend(each);
  return { log, turns, one, two, three };
}

test("B8 one terminal that floods alone is never told to wait", async () => {
  const log: string[] = [];
  const turns = new FloodTurns();
  const one = terminal("one", log);
  for (let turn = 0; turn < 3; turn += 1) turns.spend(one);
  await nextLoop();

  expect(log).toEqual([]);
});

test("B8 terminals that flood at once are read in turns, equally often", async () => {
  const { log, turns, one, two, three } = floodThree();
  turns.spend(one);
  await nextLoop();
  turns.spend(two);
  await nextLoop();
  turns.spend(three);
  await nextLoop();

  expect(log).toEqual([
    "two waits",
    "three waits",
    "one waits",
    "two reads",
    "two waits",
    "three reads",
    "three waits",
    "one reads",
  ]);
});

test("B8 one that ends during its turn, or while it waits, blocks no other", async () => {
  const { log, turns, one, two, three } = floodThree();
  turns.leave(two);
  turns.leave(one);
  await nextLoop();
  turns.spend(three);
  await nextLoop();

  expect(log).toEqual(["two waits", "three waits", "three reads"]);
});

test("B8 while a person types, even a single flood has few and short turns; afterwards it is not held back", async () => {
  vi.useFakeTimers();
  const log: string[] = [];
  const turns = new FloodTurns();
  const one = terminal("one", log);
  const usualTurn = turns.turnBytes;
  turns.typed();
  expect(turns.turnBytes).toBe(usualTurn / 4);
  turns.spend(one);
  expect(log).toEqual(["one waits"]);

  await vi.advanceTimersByTimeAsync(4);
  turns.spend(one);
  expect(log).toEqual(["one waits", "one reads", "one waits"]);

  turns.typed();
  await vi.advanceTimersByTimeAsync(500);
  turns.spend(one);
  turns.spend(one);
  expect(log).toEqual(["one waits", "one reads", "one waits", "one reads"]);
});

test("B8 a flood that waits for a slow turn goes on at once when the person stops typing", async () => {
  vi.useFakeTimers();
  const log: string[] = [];
  const turns = new FloodTurns();
  const [one, two] = [terminal("one", log), terminal("two", log)];
  turns.typed();
  await vi.advanceTimersByTimeAsync(499);
  turns.spend(one);
  turns.spend(two);
  await vi.advanceTimersByTimeAsync(1);
  await vi.advanceTimersToNextTimerAsync();

  expect(log).toEqual(["one waits", "two waits", "one reads"]);
});
