import { once } from "node:events";
import { watch } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunOnceRequest, runOnce } from "./run-once.ts";
import { runScript, runSync } from "./run-script.ts";

let dir: string;
let runs = 0;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "belay-run-"));
});
afterAll(() => rm(dir, { recursive: true }));

const base = () => ({ cwd: dir, env: { PATH: process.env.PATH ?? "" }, marker: `test-${process.pid}-${runs++}` });
const script = (text: string, more: Partial<RunOnceRequest> = {}) =>
  runScript({ ...base(), ...more, script: text, shell: "/bin/sh" });

async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => null);
  return stat !== null && !stat.includes(") Z");
}

describe("C1 run once", () => {
  it("C1 keeps stdout and stderr apart, and together in order", async () => {
    const result = await script("echo one; sleep 0.05; echo two >&2; sleep 0.05; echo three");

    expect(result).toMatchObject({
      ok: true,
      stdout: "one\nthree\n",
      stderr: "two\n",
      output: "one\ntwo\nthree\n",
      exitCode: 0,
      signal: null,
      error: null,
      omittedBytes: 0,
    });
  });

  it("C1 executes an argument list without a shell", async () => {
    const result = await runOnce({ ...base(), argv: ["printf", "%s|", "$HOME", "a b", ";", "*"] });

    expect(result.stdout).toBe("$HOME|a b|;|*|");
  });

  it("C1 hands over input, environment and folder", async () => {
    const result = await script('cat; echo "$GREETING"; pwd', {
      input: "from stdin\n",
      env: { ...base().env, GREETING: "hello" },
    });

    expect(result.stdout).toBe(`from stdin\nhello\n${dir}\n`);
  });

  it("C1 a program that does not read its input is not an error", async () => {
    expect(await script("exec true", { input: "x".repeat(1_000_000) })).toMatchObject({ ok: true, error: null });
  });

  it("C1 passes the exit code on, and names a signal", async () => {
    expect(await script("exit 7")).toMatchObject({ ok: false, exitCode: 7, error: null });
    expect(await script("kill -9 $$")).toMatchObject({
      ok: false,
      exitCode: null,
      signal: "SIGKILL",
      error: "Ended by SIGKILL.",
    });
  });

  it("C1 reports a program that could not be started", async () => {
    expect(await runOnce({ ...base(), argv: ["no-such-program"] })).toMatchObject({
      ok: false,
      exitCode: null,
      error: 'No program "no-such-program" found.',
    });
    expect(await runOnce({ ...base(), argv: ["true"], cwd: "/no/such/folder" })).toMatchObject({
      error: 'No folder "/no/such/folder" to run in.',
    });
    expect((await runOnce({ ...base(), argv: ["echo", "a\0b"] })).error).toContain("could not be started");
  });

  it("C1 keeps head and tail of an output above its limit, and says how much is missing", async () => {
    const result = await script("echo first; head -c 3000000 /dev/zero | tr '\\0' x; echo last", {
      maxOutputBytes: 1_000,
    });

    expect(result.stdout.startsWith("first\nxxx")).toBe(true);
    expect(result.stdout).toContain("x\n… 3.0 MB left out …\nx");
    expect(result.stdout.endsWith("xlast\n")).toBe(true);
    expect(result.omittedBytes).toBe(3_000_000 + 11 - 1_000);
  });

  it("C1 ends the whole process group at the time limit", async () => {
    const result = await script("echo started; sleep 1000 & echo $!; sleep 1000", { timeoutMs: 1_500 });

    const pid = Number(result.stdout.split("\n")[1]);
    expect(result).toMatchObject({ ok: false, isTimedOut: true, error: "Ended after 1.5 s, its time limit." });
    expect(await isAlive(pid)).toBe(false);
  });

  it("C1 ends processes that ignore SIGTERM, and those that left the group", async () => {
    const text = "trap '' TERM HUP; setsid sleep 1000 & echo $!; while :; do sleep 1; done";
    const result = await script(text, { timeoutMs: 1_500, graceMs: 50 });

    const pid = Number(result.stdout.split("\n")[0]);
    expect(result).toMatchObject({ isTimedOut: true, signal: "SIGKILL" });
    expect(await isAlive(pid)).toBe(false);
  });

  it("C1 does not wait for background processes, and ends them", async () => {
    const result = await script("sleep 1000 & echo $!");

    expect(result).toMatchObject({ ok: true, error: null });
    expect(await isAlive(Number(result.stdout))).toBe(false);
  });

  it("C1 can be cancelled", async () => {
    const cancel = new AbortController();
    const watcher = watch(dir);
    const running = script("touch started; sleep 1000", { signal: cancel.signal });
    await once(watcher, "change");
    watcher.close();
    cancel.abort();

    expect(await running).toMatchObject({ ok: false, error: "Cancelled.", isTimedOut: false });
    expect(await script("true", { signal: cancel.signal })).toMatchObject({ error: "Cancelled before it started." });
  });
});

describe("D11 runSync", () => {
  const run = (text: string, timeoutMs = 10_000) => runSync({ ...base(), script: text, shell: "/bin/sh", timeoutMs });

  it("D11 returns only output and exit code", async () => {
    expect(await run("echo out; echo err >&2; exit 3")).toEqual({ output: expect.any(String), exitCode: 3 });
    expect((await run("echo out; exit 3")).output).toBe("out\n");
  });

  it("D11 explains a missing exit code in the output", async () => {
    expect(await run("echo out; sleep 1000", 1_500)).toEqual({
      output: "out\nEnded after 1.5 s, its time limit.",
      exitCode: null,
    });
  });
});
