import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { KeyboardReader } from "../evidence/keyboard-reader.ts";
import { openTestPool, type TestPool } from "../testing/test-pool.ts";
import { piecesOf } from "./type-input.ts";

let test: TestPool;
beforeAll(async () => {
  test = await openTestPool();
});
afterAll(() => test.close());

type Program = Extract<KeyboardReader, { kind: "program" }>;

async function startAndAsk(line: string) {
  const { id } = await test.spawn();
  const report = await test.run(id, line);
  const reader = await test.pool.reader(id);
  const type = (text: string) => {
    const { processes, readsLines } = reader as Program;
    return test.pool.type(id, { text, readerPids: processes.map(({ pid }) => pid), readsLines });
  };
  return { id, report, reader, type };
}

describe("who reads the keyboard", () => {
  it("D1 is the shell at its prompt", async () => {
    const { reader } = await startAndAsk("true");

    expect(reader).toEqual({ kind: "prompt" });
  });

  it("D1 is a program that asks, by its argument list", async () => {
    const { reader } = await startAndAsk(`bash -c 'printf "name? "; read name; echo "hello $name"'`);

    expect(reader).toMatchObject({ kind: "program", isShellBuiltin: false, hidesInput: false, readsLines: true });
    expect((reader as Program).processes[0]?.argv.slice(0, 2)).toEqual(["bash", "-c"]);
  });

  it("D1 is the shell's own read, in the middle of a command", async () => {
    const { reader, type, report } = await startAndAsk("read answer; echo got:$answer");

    expect(reader).toMatchObject({ kind: "program", isShellBuiltin: true });
    expect(await type("yes\n")).toEqual({ typedCharacters: 4, stopped: "no" });
    expect(await test.outputOf(await test.untilFinished(report))).toContain("got:yes");
  });

  it("D1 hides what is typed at a password prompt", async () => {
    const { reader } = await startAndAsk(`bash -c 'read -rs secret'`);

    expect(reader).toMatchObject({ kind: "program", hidesInput: true });
  });

  it("D1 is nobody while a program works", async () => {
    const { id } = await test.spawn();
    await test.run(id, "sleep 60", { wait: { type: "background", collectMs: 300 } });

    expect(await test.pool.reader(id)).toEqual({ kind: "nobody" });
  });
});

describe("typing for one reader", () => {
  it("D1 gives a program its lines, one at a time", async () => {
    const { type, report } = await startAndAsk(`bash -c 'for i in 1 2 3; do read x; echo "<$x>"; done'`);

    expect(await type("a\nb\nc\n")).toEqual({ typedCharacters: 6, stopped: "no" });
    expect(await test.outputOf(await test.untilFinished(report))).toMatch(/<a>.*<b>.*<c>/s);
  });

  it("D1 keeps back what the program did not stay to read", async () => {
    const trap = join(test.folder, "never-1");
    const { id, type, report } = await startAndAsk(`bash -c 'read x; echo "<$x>"'`);

    expect(await type(`a\ntouch ${trap}\n`)).toEqual({ typedCharacters: 2, stopped: "reader-gone" });
    await test.untilFinished(report);
    await test.run(id, "true");
    expect(existsSync(trap)).toBe(false);
  });

  it("D1 presses no Enter for the shell behind a program that ends at a key", async () => {
    const trap = join(test.folder, "never-2");
    const { id, type, report } = await startAndAsk(`bash -c 'read -rsn1 key; echo "<$key>"'`);

    expect(await type(`qtouch ${trap}\r`)).toMatchObject({ stopped: "reader-gone" });
    await test.untilFinished(report);
    const next = await test.run(id, "echo clean");
    expect(await test.outputOf(next)).toBe("clean\r\n");
    expect(existsSync(trap)).toBe(false);
  });

  it("D1 cuts lines for who reads lines, and Enter off for who reads keys", () => {
    expect(piecesOf("a\nb\r\nc", true)).toEqual(["a\n", "b\r\n", "c"]);
    expect(piecesOf("a\nb\r\nc", false)).toEqual(["a", "\n", "b", "\r\n", "c"]);
    expect(piecesOf("\n", true)).toEqual(["\n"]);
    expect(piecesOf("", true)).toEqual([]);
  });
});
