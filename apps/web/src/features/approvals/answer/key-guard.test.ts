import { expect, test } from "vitest";
import { GUARD_MS, KeyGuard } from "./key-guard.ts";

test("S13 no key answers before a deliberate action in this page", () => {
  const { guard, pass } = open();
  pass(10 * GUARD_MS);

  for (const _key of "some text") guard.typed();
  pass(10 * GUARD_MS);

  expect(guard.isOpen).toBe(false);
});

test("S13 a click unlocks the keys, unless it comes right after the page appeared", () => {
  const { guard, pass } = open();
  guard.clicked();
  const tooSoon = guard.isOpen;
  pass(GUARD_MS);
  guard.clicked();

  expect([tooSoon, guard.isOpen]).toEqual([false, true]);
});

test("S13 j and k unlock the keys if there is a pause before and after them", () => {
  const { guard, pass } = open();
  guard.moved();
  pass(GUARD_MS);
  const rightAfterArriving = guard.isOpen;
  guard.moved();
  guard.moved();
  pass(GUARD_MS - 1);
  const tooSoon = guard.isOpen;
  pass(1);

  expect([rightAfterArriving, tooSoon, guard.isOpen]).toEqual([false, false, true]);
});

test("S13 every other key locks the keys again, however long the pause after it", () => {
  const { guard, pass } = open();
  pass(GUARD_MS);
  guard.moved();
  pass(GUARD_MS - 1);
  guard.typed();
  pass(10 * GUARD_MS);
  const afterTyping = guard.isOpen;
  guard.clicked();
  const afterClick = guard.isOpen;
  guard.typed();
  pass(10 * GUARD_MS);

  expect([afterTyping, afterClick, guard.isOpen]).toEqual([false, true, false]);
});

test("S13 a person who thinks between two words answers nothing", () => {
  const { guard, pass } = open();
  const opened: boolean[] = [];
  for (const word of ["just", "a", "moment", "ok", "a", "k", "d"]) {
    for (const key of word) {
      opened.push(guard.isOpen);
      if (key === "j" || key === "k") guard.moved();
      else guard.typed();
      pass(120);
    }
    guard.typed();
    pass(3 * GUARD_MS);
  }

  expect(opened).not.toContain(true);
});

test("S13 coming back to the page locks the keys again; moving to the next question does not", () => {
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

test.each([
  ["words with j and k in them", "just kidding, back to work; jk", 120],
  ["slow typing", "joke", GUARD_MS - 50],
  ["a held key", "jjjjjjjjjjjjjjjjjjjj", 30],
  ["only letters that move", "jkjkjk", 90],
])("S13 %s, typed for another page, answer nothing while they are typed", (_what, text, gapMs) => {
  const { guard, pass } = open();
  const opened: boolean[] = [];

  for (const key of text) {
    if (key === "j" || key === "k") guard.moved();
    else guard.typed();
    opened.push(guard.isOpen);
    pass(gapMs);
  }

  expect(opened).not.toContain(true);
});

test("S13 a page that keeps taking the focus away and giving it back never opens the keys", () => {
  const { guard, pass } = open();
  pass(10 * GUARD_MS);
  const opened: boolean[] = [];

  for (let round = 0; round < 20; round++) {
    guard.left();
    guard.moved();
    pass(GUARD_MS / 2);
    guard.typed();
    opened.push(guard.isOpen);
    guard.shown();
    guard.clicked();
    opened.push(guard.isOpen);
  }

  expect(opened).not.toContain(true);
});

function open() {
  let now = 0;
  const guard = new KeyGuard(() => now);
  return { guard, pass: (ms: number) => (now += ms) };
}
