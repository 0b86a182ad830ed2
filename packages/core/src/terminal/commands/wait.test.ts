import type { CommandReport } from "@belay/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { WaitStrategy } from "../../pool/requests.ts";
import { expectSurvivalRow } from "../../testing/survival-page.ts";
import { Command, type Want } from "./command.ts";
import { decideWait, waitForCommand } from "./wait.ts";

const nothing: Want = { kind: "nothing", evidence: "kernel" };
const input: Want = { kind: "input", evidence: "kernel" };
const idle: WaitStrategy = { type: "idle", idleMs: 10_000, timeoutMs: 60_000 };
const slow: WaitStrategy = { type: "idle", idleMs: null, timeoutMs: 180_000 };
const settle: WaitStrategy = { type: "settle", minMs: 1000, settleMs: 2000, maxMs: 30_000 };
const background: WaitStrategy = { type: "background", collectMs: 2000 };

describe("decideWait", () => {
  it.each([
    ["D3 continues while it prints", idle, nothing, 20_000, 100, "9900"],
    ["D3 returns after silence", idle, nothing, 20_000, 10_000, "running"],
    ["D3 returns at the timeout", idle, nothing, 60_000, 0, "running"],
    ["D3 a slow command may be silent", slow, nothing, 100_000, 100_000, "80000"],
    ["D2 returns when it waits for input", idle, input, 100, 50, "waiting_input"],
    ["C7 not before the minimum", settle, input, 400, 400, "600"],
    ["C7 then once it has settled", settle, nothing, 5000, 2000, "running"],
    ["C7 not while it prints", settle, nothing, 5000, 500, "1500"],
    ["C7 and never later than the maximum", settle, nothing, 30_000, 0, "running"],
    ["D5 collects for the given time", background, input, 500, 500, "1500"],
    ["D5 and then returns a handle", background, nothing, 2000, 0, "background"],
  ] as const)("%s", (_, strategy, want, elapsedMs, silentMs, expected) => {
    const decision = decideWait(strategy, { want, elapsedMs, silentMs });

    expect(decision.type === "wait" ? String(decision.forMs) : decision.state).toBe(expected);
  });
});

describe("waitForCommand", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const create = () => {
    const command = new Command({
      id: "cmd-1",
      terminalId: "pty-1",
      line: "x",
      cwd: "/",
      position: 0,
      now: () => Date.now(),
    });
    command.typed(0);
    return command;
  };

  it("C7 a finished command answers at once", async () => {
    const command = create();
    const waiting = waitForCommand(command, settle);

    command.ended({ position: 3, exitCode: 0 });
    command.complete({ evidence: "marker", cwd: "/tmp" });

    expect(await waiting).toMatchObject({ state: "completed", exitCode: 0, endPosition: 3, cwd: "/tmp" });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("D3 any activity extends the wait", async () => {
    const command = create();
    let report: unknown = null;
    void waitForCommand(command, idle).then((value) => {
      report = value;
    });

    await vi.advanceTimersByTimeAsync(9000);
    command.printed(5);
    await vi.advanceTimersByTimeAsync(9000);
    expect(report).toBe(null);
    await vi.advanceTimersByTimeAsync(1000);

    expect(report).toMatchObject({ state: "running", exitCode: null, endPosition: 5, durationMs: 19_000 });
  });

  it("D3 a starting shell does not count as a silent command", async () => {
    const command = new Command({
      id: "cmd-1",
      terminalId: "pty-1",
      line: "x",
      cwd: "/",
      position: 0,
      now: () => Date.now(),
    });
    let report: unknown = null;
    void waitForCommand(command, idle).then((value) => {
      report = value;
    });

    await vi.advanceTimersByTimeAsync(15_000);
    expect(report).toBe(null);
    command.typed(0);
    await vi.advanceTimersByTimeAsync(10_000);

    expect(report).toMatchObject({ state: "running" });
  });

  it("D3 a wait ends in time, with the correct duration, when the system clock is set back or forward", async () => {
    const command = create();
    const reports: CommandReport[] = [];
    void waitForCommand(command, idle).then((report) => reports.push(report));

    await vi.advanceTimersByTimeAsync(5_000);
    vi.setSystemTime(Date.now() - 3_600_000);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(reports).toEqual([]);
    vi.setSystemTime(Date.now() + 7_200_000);
    await vi.advanceTimersByTimeAsync(1);

    expect(reports).toMatchObject([{ state: "running", durationMs: 10_000 }]);
    expectSurvivalRow("the system clock is set back or forward", {
      belay: "keeps every wait, limit and duration correct",
      says: "not reported: nothing is lost",
    });
  });

  it("A10 an abort ends the wait and leaves no timer", async () => {
    const abort = new AbortController();
    const waiting = waitForCommand(create(), idle, abort.signal);

    abort.abort(new Error("gone"));

    await expect(waiting).rejects.toThrow("gone");
    expect(vi.getTimerCount()).toBe(0);
  });
});
