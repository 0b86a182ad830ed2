import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { KeyboardReader } from "../pool/requests.ts";
import { openTestPool, type TestPool } from "../testing/test-pool.ts";
import { piecesOf } from "./type-input.ts";

let test: TestPool;
let traps = 0;
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
    expect((reader as Program).processes[0]).toMatchObject({ path: expect.stringMatching(/bash$/) });
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

  it("D1 is no program while one is working", async () => {
    const { id } = await test.spawn();
    await test.run(id, "sleep 60", { wait: { type: "background", collectMs: 300 } });

    expect(await test.pool.reader(id)).toEqual({ kind: "none" });
  });
});

describe("whose code reads the keyboard", () => {
  it.each([
    ["read -rs x", "shell-builtin", /bash$/],
    [`bash -c 'read -rs x'`, "interpreter", /bash$/],
    [`bash -c 'stty -echo; exec -a passwd cat'`, "passes-on", /cat$/],
    [`bash -c 'exec -a sudo bash -c "read -rs x"'`, "interpreter", /bash$/],
    ["cat", "passes-on", /cat$/],
    ["stty -echo; head -n1 > taken; stty echo", "passes-on", /head$/],
    ["stty -echo; dd of=taken count=1", "passes-on", /dd$/],
    ["openssl passwd -noverify -1 -salt salt", "system-other", /openssl$/],
    ["perl -e 'system(\"stty -echo\"); <STDIN>'", "interpreter", /perl/],
    ["cp /bin/cat ./sudo; ./sudo", "other-program", /sudo$/],
    ["LD_PRELOAD=/none.so cat", "other-program", /cat$/],
    [`python3 -c 'input()'`, "interpreter", /python/],
  ])("D1 %s: %s", async (line, code, path) => {
    const { reader } = await startAndAsk(line);

    expect((reader as Program).processes[0]).toMatchObject({ code, path: expect.stringMatching(path) });
  });
});

describe("pagers in an agent's terminal", () => {
  it("D1 start neither a shell nor an editor", async () => {
    const trap = `never-${++traps}`;
    const { id, report } = await startAndAsk("seq 1000 | less");

    await test.pool.write(id, `!touch ${trap}\r`);
    // Each key of it may have opened something that has to be closed first.
    await test.pool.write(id, "\rqqqqqq");
    await test.untilFinished(report);

    expect(existsSync(join(test.folder, trap))).toBe(false);
  });

  it("D1 with any environment that the agent requests", async () => {
    const { id } = await test.spawn({ env: { LESSSECURE: "0", SYSTEMD_PAGERSECURE: "0" } });

    const report = await test.run(id, "echo $LESSSECURE$SYSTEMD_PAGERSECURE");

    expect(await test.outputOf(report)).toBe("11\r\n");
  });
});

describe("typing for one reader", () => {
  it("D1 gives a program its lines, one at a time", async () => {
    const { type, report } = await startAndAsk(`bash -c 'for i in 1 2 3; do read x; echo "<$x>"; done'`);

    expect(await type("a\nb\nc\n")).toEqual({ typedCharacters: 6, stopped: "no" });
    expect(await test.outputOf(await test.untilFinished(report))).toMatch(/<a>.*<b>.*<c>/s);
  });

  it("D1 does not type what the program no longer reads", async () => {
    const trap = join(test.folder, "never-1");
    const { id, type, report } = await startAndAsk(`bash -c 'read x; echo "<$x>"'`);

    expect(await type(`a\ntouch ${trap}\n`)).toEqual({ typedCharacters: 2, stopped: "reader-gone" });
    await test.untilFinished(report);
    await test.run(id, "true");
    expect(existsSync(trap)).toBe(false);
  });

  it("D1 presses no Enter for the shell after a program that ends at a key", async () => {
    const trap = join(test.folder, "never-2");
    const { id, type, report } = await startAndAsk(`bash -c 'read -rsn1 key; echo "<$key>"'`);

    expect(await type(`qtouch ${trap}\r`)).toMatchObject({ stopped: "reader-gone" });
    await test.untilFinished(report);
    const next = await test.run(id, "echo clean");
    expect(await test.outputOf(next)).toBe("clean\r\n");
    expect(existsSync(trap)).toBe(false);
  });

  it.each([
    ["the shell's own read", "read x", "a\nTRAP\n"],
    ["two reads of the shell's own", "read x; read y", "a\nb\nTRAP\n"],
    ["a select", "select x in one two; do break; done", "1\nTRAP\n"],
    ["a program that takes one line", "head -n1", "a\nTRAP\n"],
    ["a program that takes one byte", "head -c1", "xTRAP\n"],
    ["one in a pipeline", "head -c1 | cat", "xTRAP\n"],
    ["one below a script", `sh -c 'head -c1; head -c1'`, "xTRAP\nTRAP\n"],
    ["one below a shell below the shell", `bash --norc -c 'bash -c "head -c1"; true'`, "xTRAP\n"],
    ["a Ctrl-D in the middle", "cat > /dev/null", "a\x04\x04TRAP\n"],
    ["a Ctrl-D at the beginning", "cat > /dev/null", "\x04TRAP\n"],
    ["a Ctrl-C in the middle", "cat > /dev/null", "a\x03TRAP\n"],
    ["a Ctrl-Z in the middle", "cat > /dev/null", "a\x1aTRAP\n"],
    ["a key", `bash -c 'read -rsn1 key'`, "xTRAP\r"],
    ["a pager", "seq 1000 | less", "qTRAP\r"],
    ["a Python that reads a byte", `python3 -c 'import os; os.read(0, 1)'`, "xTRAP\n"],
    ["an exec of the reader", `bash -c 'read x; exec cat'`, "a\nTRAP\n\x04TRAP\n"],
  ])("D1 leaves nothing for the shell after %s", async (_, line, keys) => {
    const trap = join(test.folder, `never-${++traps}`);
    const { id, type, report } = await startAndAsk(line);

    await type(keys.replaceAll("TRAP", `touch ${trap}`));
    const { state } = await test.pool.waitFor(id, report.commandId, { type: "idle", idleMs: 300, timeoutMs: 5_000 });
    // Only while a program reads: at its prompt, the shell would be busy with it while the next line is typed.
    if (state !== "completed") await test.pool.write(id, "\x03");
    await test.untilFinished(report);
    const next = await test.run(id, "echo clean");

    expect(await test.outputOf(next)).toBe("clean\r\n");
    expect(existsSync(trap)).toBe(false);
  });

  it.each(["read -d x y", "mapfile -n 1", "read -n 3 x", "read -t 30 x", "read -e x"])(
    "D1 treats a shell builtin that may leave part of a line for its prompt as the prompt: %s",
    async (line) => {
      const { reader } = await startAndAsk(line);

      expect(reader).toEqual({ kind: "prompt" });
    },
  );

  it("D1 a shell is not left stopped, however the reader ends", async () => {
    const { id, type, report } = await startAndAsk(`bash -c 'read x; sleep 0.2; echo "<$x>"'`);

    expect(await type("a\n")).toEqual({ typedCharacters: 2, stopped: "no" });

    expect(await test.untilFinished(report)).toMatchObject({ state: "completed", exitCode: 0 });
    expect(await test.run(id, "true")).toMatchObject({ exitCode: 0 });
  });

  it.each([
    ["text at the cursor", "echo left"],
    ["text right of the cursor", "echo left\x01"],
    ["a literal key", "echo left\x16"],
    ["a search", "\x12echo"],
    ["a count", "\x1b4"],
  ])("D1 clears %s before a command is typed", async (_, keys) => {
    const { id } = await test.spawn();
    await test.run(id, "true");
    await test.pool.write(id, keys);

    const report = await test.run(id, "echo clean");

    expect(report).toMatchObject({ state: "completed", exitCode: 0 });
    expect(await test.outputOf(report)).toBe("clean\r\n");
  });

  it("D1 splits at control characters for readers of lines, and into keys for readers of keys", () => {
    expect(piecesOf("a\nb\r\nc", true)).toEqual(["a\n", "b\r\n", "c"]);
    expect(piecesOf("ab\x04c\td\x7f", true)).toEqual(["ab\x04", "c\td\x7f"]);
    expect(piecesOf("ab\nc\x1b[A\x1bOB\x1bx€", false)).toEqual([
      "a",
      "b",
      "\n",
      "c",
      "\x1b[A",
      "\x1bOB",
      "\x1b",
      "x",
      "€",
    ]);
    expect(piecesOf("\n", true)).toEqual(["\n"]);
    expect(piecesOf("", true)).toEqual([]);
  });
});
