import { expect, test } from "vitest";
import { FirstScreen } from "./first-screen.ts";

test("W11 what may be needed next waits for the frame, for what the page shows, and for an idle moment", () => {
  const { screen, idle } = withIdle();
  const loaded: string[] = [];
  screen.after(() => loaded.push("menu"));
  const shown = screen.hold();

  screen.drawn();
  idle();
  expect(loaded).toEqual([]);
  shown();
  expect(loaded).toEqual([]);
  idle();

  expect(loaded).toEqual(["menu"]);
  expect(screen.isOver).toBe(true);
});

test("W11 something that begins to load before the idle moment is waited for as well", () => {
  const { screen, idle } = withIdle();
  const loaded: string[] = [];
  screen.after(() => loaded.push("menu"));
  screen.drawn();

  const shown = screen.hold();
  idle();
  expect(loaded).toEqual([]);
  shown();
  shown();
  idle();

  expect(loaded).toEqual(["menu"]);
});

test("W11 once it is over, each part waits for an idle moment only, and one that was taken back is not loaded", () => {
  const { screen, idle } = withIdle();
  const loaded: string[] = [];
  screen.after(() => loaded.push("gone"))();
  screen.drawn();
  idle();

  screen.after(() => loaded.push("dialog"));
  expect(loaded).toEqual([]);
  idle();

  expect(loaded).toEqual(["dialog"]);
});

test("W11 it can be ended while something is still missing, once", () => {
  const { screen, idle } = withIdle();
  const loaded: string[] = [];
  screen.after(() => loaded.push("menu"));
  const shown = screen.hold();
  screen.drawn();

  screen.end();
  shown();
  idle();

  expect(loaded).toEqual(["menu"]);
});

/** The test says when the browser is idle. */
function withIdle() {
  let acts: (() => void)[] = [];
  const screen = new FirstScreen((act) => acts.push(act));
  const idle = () => {
    const due = acts;
    acts = [];
    for (const act of due) act();
  };
  return { screen, idle };
}
