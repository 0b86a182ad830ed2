import { execFileSync } from "node:child_process";
import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { describePty } from "../testing/pty-contract.ts";
import { hasSandbox } from "../testing/sandbox.ts";
import { openSandboxPool, openTestFolder, testWall } from "../testing/sandbox-pool.ts";
import { Bubblewrap } from "./bubblewrap.ts";

// A program that executes the instruction on each line of its input.
const OBEDIENT = 'stty -echo; printf ready; while read -r line; do eval "$line"; done';

describe.runIf(hasSandbox)("C4 bubblewrap", () => {
  describePty("bubblewrap", async ({ onOutput, onExit }) => {
    const own = await openTestFolder();
    const workspace = await openTestFolder();
    let isReady = () => {};
    const ready = new Promise<void>((resolve) => {
      isReady = resolve;
    });
    let hasStarted = false;
    const pty = new Bubblewrap(own).provider.openPty(
      {
        argv: ["/bin/sh", "-c", OBEDIENT],
        cwd: workspace,
        env: { PATH: "/usr/bin:/bin", LANG: "C.UTF-8" },
        cols: 80,
        rows: 24,
        wall: { spec: testWall(workspace, own), own: { readable: [], writable: [] } },
      },
      {
        onOutput: (bytes) => {
          if (hasStarted) return onOutput(bytes);
          hasStarted = true;
          isReady();
        },
        onExit,
      },
    );
    await ready;
    return {
      pty,
      print: (text) =>
        text.length > 1000
          ? pty.write(Buffer.from(`head -c ${text.length} /dev/zero | tr '\\0' ${text[0]}\n`))
          : pty.write(Buffer.from(`printf %s '${text}'\n`)),
      exit: (exitCode) => pty.write(Buffer.from(`exit ${exitCode}\n`)),
      fill: (bytes) => pty.write(bytes),
    };
  });

  it("C4 runs commands with their exit codes, from the shell's markers", async () => {
    const test = await openSandboxPool();
    const { id } = await test.spawn();

    const report = await test.run(id, "echo here > made; pwd; (exit 3)");

    expect(report).toMatchObject({ state: "completed", exitCode: 3, evidence: "marker" });
    expect(await test.outputOf(report)).toBe(`${test.workspace}\r\n`);
    expect(await readdir(test.workspace)).toEqual(["made"]);
  });

  it("C4 jobs, sizes and interrupts work as in a real terminal", async () => {
    const test = await openSandboxPool();
    const { id } = await test.spawn();

    const jobs = await test.run(id, "sleep 300 & jobs");
    await test.pool.resize(id, { cols: 100, rows: 40 });
    const size = await test.run(id, "stty size");
    const sleeping = await test.run(id, "sleep 300", { wait: { type: "background", collectMs: 1 } });
    await test.pool.write(id, "\x03");

    expect(await test.outputOf(jobs)).toContain("Running");
    expect(await test.outputOf(size)).toBe("40 100\r\n");
    expect(await test.untilFinished(sleeping)).toMatchObject({ state: "completed", exitCode: 130 });
  });

  it("C4 the kernel still shows that a program waits for input", async () => {
    const test = await openSandboxPool();
    const { id } = await test.spawn();

    const asking = await test.run(id, "head -1");
    const reader = await test.pool.reader(id);
    await test.pool.write(id, "an answer\n");

    expect(asking).toMatchObject({ state: "waiting_input", evidence: "kernel" });
    expect(reader).toMatchObject({ kind: "program", processes: [{ argv: ["head", "-1"] }] });
    expect(await test.untilFinished(asking)).toMatchObject({ exitCode: 0 });
  });

  it("C4 C10 a process that left its session and environment ends with the terminal, too", async () => {
    const test = await openSandboxPool();
    const { id } = await test.spawn();
    await test.run(id, "env -i setsid nohup sleep 98765 > /dev/null 2>&1 & sleep 0.1; disown -a");

    const { survivors } = await test.pool.kill(id, { reason: "killed" });

    const left = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" });
    expect(survivors).toEqual([]);
    expect(left).not.toContain("sleep 98765");
  });
});
