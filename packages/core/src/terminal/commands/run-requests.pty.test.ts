import { readdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { installedShells } from "../../testing/installed-shells.ts";
import { openTestPool, type TestPool } from "../../testing/test-pool.ts";

let test: TestPool;
beforeAll(async () => {
  test = await openTestPool();
});
afterAll(() => test.close());

describe.each(installedShells())("D10 $kind runs a command", ({ kind, path }) => {
  const program = { type: "shell", shell: path, login: false } as const;

  it.runIf(path !== null)(`D10 in its own folder (${kind})`, async () => {
    const folder = join(test.folder, `it's a "folder" $HOME ${kind}`);
    await mkdir(folder);
    const { id } = await test.spawn({ program });

    const report = await test.run(id, "pwd", { cwd: folder });

    expect(report).toMatchObject({ state: "completed", exitCode: 0, cwd: folder });
    expect(await test.outputOf(report)).toContain(folder);
  });

  it.runIf(path !== null)(`D10 and reports the folder while it is still running (${kind})`, async () => {
    const folder = join(test.folder, `running-${kind}`);
    await mkdir(folder);
    const { id } = await test.spawn({ program });
    // A shell that has yet to start would take a part of the time.
    await test.run(id, "true");

    const report = await test.run(id, "sleep 30", {
      cwd: folder,
      wait: { type: "idle", idleMs: null, timeoutMs: 1_000 },
    });

    expect(report).toMatchObject({ state: "running", cwd: folder });
  });

  it.runIf(path !== null)(`D10 in a folder relative to the shell's (${kind})`, async () => {
    await mkdir(join(test.folder, `below-${kind}`));
    const { id } = await test.spawn({ program });

    const report = await test.run(id, "pwd", { cwd: `below-${kind}` });

    expect(report).toMatchObject({ exitCode: 0, cwd: join(test.folder, `below-${kind}`) });
  });

  it.runIf(path !== null)(`D10 not in a folder that does not exist (${kind})`, async () => {
    const { id } = await test.spawn({ program });

    await expect(test.run(id, "pwd", { cwd: "/no/such/folder" })).rejects.toMatchObject({ code: "cwd-not-found" });

    expect(await test.run(id, "true")).toMatchObject({ exitCode: 0, cwd: test.folder });
  });

  it.runIf(path !== null)(`D10 with variables that are removed or restored afterwards (${kind})`, async () => {
    const { id } = await test.spawn({ program, env: { KEPT: "before" } });
    const print = `printenv FRESH; printenv KEPT; sh -c 'exit 3'`;

    const during = await test.run(id, print, { env: { FRESH: 'it\'s \\ "new" $x', KEPT: "changed" } });
    const after = await test.run(id, print);

    expect(await test.outputOf(during)).toContain(`it's \\ "new" $x\r\nchanged\r\n`);
    expect(await test.outputOf(after)).toMatch(/^[^\n]*before\r\n$/);
    expect((await test.pool.history(id, 65_536)).text).not.toContain("FRESH=");
    // The marker of the next prompt comes before the last file is deleted.
    await vi.waitFor(() => expect(readdirSync(join(test.folder, "data", id)).join()).not.toContain("command-"));
  });
});

describe("waiting for a command", () => {
  it("D5 collects for a moment, returns a handle, and keeps the result", async () => {
    const { id } = await test.spawn();

    const begun = await test.run(id, "echo up; read line; (exit 5)", { wait: { type: "background", collectMs: 2000 } });
    const finished = test.untilFinished(begun);
    await test.pool.write(id, "\r");

    expect(begun).toMatchObject({ state: "background", exitCode: null });
    expect(await test.outputOf(begun)).toBe("up\r\n");
    expect(await finished).toMatchObject({ state: "completed", exitCode: 5 });
    expect(await test.pool.waitFor(id, begun.commandId, { type: "background", collectMs: 1 })).toEqual(await finished);
  });

  it("D5 a command that ends within that moment answers with its exit code", async () => {
    const { id } = await test.spawn();

    const report = await test.run(id, "(exit 4)", { wait: { type: "background", collectMs: 30_000 } });

    expect(report).toMatchObject({ state: "completed", exitCode: 4 });
  });

  it.each([
    ["a REPL", "python3 -q"],
    ["a pager", "seq 1000 | less"],
  ])("D5 ends %s without an answer, and keeps the shell", async (_, line) => {
    const { id } = await test.spawn();

    const begun = await test.run(id, line, {
      wait: { type: "background", collectMs: 10 },
      task: { maxDurationMs: 50_000, maxWaitingMs: 100 },
    });

    expect(await test.untilFinished(begun)).toMatchObject({ state: "completed", evidence: "marker" });
    expect(await test.run(id, "true")).toMatchObject({ exitCode: 0 });
  });

  it("D5 ends a task at its time limit", async () => {
    const { id } = await test.spawn();

    const begun = await test.run(id, "sleep 1000", {
      wait: { type: "background", collectMs: 10 },
      task: { maxDurationMs: 300, maxWaitingMs: 50_000 },
    });

    expect(await test.untilFinished(begun)).toMatchObject({ state: "completed", exitCode: expect.any(Number) });
  });

  it("C7 returns when the output has settled", async () => {
    const { id } = await test.spawn();

    const report = await test.run(id, "echo hello; sleep 1000", {
      wait: { type: "settle", minMs: 50, settleMs: 1500, maxMs: 50_000 },
    });

    expect(report).toMatchObject({ state: "running", exitCode: null });
    expect(await test.outputOf(report)).toBe("hello\r\n");
  });

  it("A10 refuses a second command while one runs, and an abort ends only the wait", async () => {
    const { id } = await test.spawn();
    const abort = new AbortController();
    const waiting = test.pool.run(
      id,
      { commandId: "cmd-long", line: "cat", wait: { type: "idle", idleMs: null, timeoutMs: 50_000 } },
      abort.signal,
    );

    await expect(test.run(id, "true")).rejects.toMatchObject({ code: "terminal-busy" });
    abort.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");

    const goesOn = await test.pool.waitFor(id, "cmd-long", { type: "idle", idleMs: null, timeoutMs: 50_000 });
    expect(goesOn).toMatchObject({ state: "waiting_input" });
  });

  it("D3 a person's command in between makes the terminal busy, without mix-ups", async () => {
    const { id } = await test.spawn({ owner: "user", visible: true });
    await test.run(id, "true");
    const busy = new Promise<void>((resolve) => {
      test.pool.subscribe((event) => {
        if (event.type === "changed" && event.terminal.id === id && event.terminal.activity.kind === "busy") resolve();
      });
    });

    await test.pool.write(id, "cat\r");
    await busy;

    await expect(test.run(id, "true")).rejects.toMatchObject({ code: "terminal-busy" });
    await test.pool.write(id, "\x04");
  });
});
