import { expect, it } from "vitest";
import { nextState } from "./terminal-state.ts";

it("B2 a terminal only moves forward", () => {
  const running = nextState({ status: "starting" }, { type: "spawned", pid: 7 });
  const closing = nextState(running, { type: "close", reason: "idle" });
  const closed = nextState(closing, { type: "exited", exitCode: 1 });

  expect([running, closing, closed]).toEqual([
    { status: "running", pid: 7 },
    { status: "closing", reason: "idle" },
    { status: "closed", reason: "idle", exitCode: 1 },
  ]);
  expect(nextState(closing, { type: "close", reason: "killed" })).toBe(closing);
  expect(nextState(closing, { type: "spawned", pid: 8 })).toBe(closing);
  expect(nextState(closed, { type: "exited", exitCode: 2 })).toBe(closed);
});
