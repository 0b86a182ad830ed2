import { expect, test } from "vitest";
import { GUARD_MS, KeyGuard } from "./key-guard.ts";

test("row 13: no key answers before a deliberate action in this page", () => {
  const { guard, pass } = open();
  pass(10 * GUARD_MS);

  for (const _key of "some text") guard.typed();
  pass(10 * GUARD_MS);

  expect(guard.isOpen).toBe(false);
});

test("row 13: a click unlocks the keys, unless it comes right after the page appeared", () => {
  const { guard, pass } = open();
  guard.clicked();
  const tooSoon = guard.isOpen;
  pass(GUARD_MS);
  guard.clicked();

  expect([tooSoon, guard.isOpen]).toEqual([false, true]);
});

test("row 13: j and k unlock the keys after a pause, which every other key restarts", () => {
  const { guard, pass } = open();
  guard.moved();
  const atOnce = guard.isOpen;
  pass(GUARD_MS - 1);
  guard.typed();
  pass(GUARD_MS - 1);
  const afterTyping = guard.isOpen;
  pass(1);

  expect([atOnce, afterTyping, guard.isOpen]).toEqual([false, false, true]);
});

test("row 13: coming back to the page locks the keys again; moving to the next question does not", () => {
  const { guard, pass } = open();
  pass(GUARD_MS);
  guard.clicked();
  guard.moved();
  const whileHere = guard.isOpen;
  guard.left();
  const afterwards = guard.isOpen;
  guard.clicked();

  expect([whileHere, afterwards, guard.isOpen]).toEqual([true, false, true]);
});

function open() {
  let now = 0;
  const guard = new KeyGuard(() => now);
  return { guard, pass: (ms: number) => (now += ms) };
}
