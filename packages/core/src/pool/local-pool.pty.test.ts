import type { TerminalId } from "@belay/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTestPool, patiently, type TestPool } from "../testing/test-pool.ts";
import type { PoolEvent } from "./terminal-pool.ts";

let test: TestPool;
let events: PoolEvent[];

beforeEach(async () => {
  test = await openTestPool();
  events = [];
  test.pool.subscribe((event) => events.push(event));
});

afterEach(() => test.close());

function statesOf(id: TerminalId): string[] {
  return events.flatMap((event) =>
    "terminal" in event && event.terminal.id === id ? [`${event.type}: ${event.terminal.state.status}`] : [],
  );
}

describe("a shell in the pool", () => {
  it("A10 returns output and exit code of a command", async () => {
    const { id } = await test.spawn();

    const report = await test.pool.run(id, { commandId: "cmd-1", line: "echo out; (exit 3)", wait: patiently });

    expect(report).toMatchObject({ state: "completed", evidence: "marker", exitCode: 3, cwd: test.folder });
    expect(await test.outputOf(report)).toBe("out\r\n");
  });

  it("A3 keeps folder, variables and functions from command to command", async () => {
    const { id } = await test.spawn();

    await test.pool.run(id, { commandId: "cmd-1", line: "cd /usr; x=kept; f() { echo $x; }", wait: patiently });
    const report = await test.pool.run(id, { commandId: "cmd-2", line: "f", wait: patiently });

    expect(report).toMatchObject({ cwd: "/usr", exitCode: 0 });
    expect(await test.outputOf(report)).toBe("kept\r\n");
  });

  it("A2 says that a shell does not exist and starts nothing", async () => {
    const program = { type: "shell", shell: "/bin/no-such-shell", login: false } as const;

    await expect(test.spawn({ program })).rejects.toMatchObject({ code: "shell-not-found" });

    expect(await test.pool.list()).toEqual([]);
  });

  it("B7 announces the end before it ends the processes, and killing a closed terminal succeeds", async () => {
    const { id } = await test.spawn();

    const report = await test.pool.kill(id, { reason: "killed" });

    expect(report).toEqual({ existed: true, survivors: [] });
    expect(statesOf(id).filter((state) => state.startsWith("closed"))).toEqual(["closed: closing"]);
    expect(statesOf(id).at(-1)).toBe("changed: closed");
    expect(await test.pool.kill(id, { reason: "killed" })).toEqual({ existed: false, survivors: [] });
  });
});
