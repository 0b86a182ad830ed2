import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PoolEvent } from "../pool/terminal-pool.ts";
import { createFakeProvider, type FakePty } from "../testing/fake-pty.ts";
import { openTestPool, type TestPool } from "../testing/test-pool.ts";
import type { TerminalTap } from "./tap.ts";

const provider = createFakeProvider();
let test: TestPool;
let pty: FakePty;

async function spawn(): Promise<`pty-${string}`> {
  const { id } = await test.spawn({ provider: "fake", program: { type: "argv", argv: ["true"] } });
  const opened = provider.ptys.at(-1);
  if (!opened) throw new Error("The provider was not asked.");
  pty = opened;
  return id;
}

function until(isIt: (event: PoolEvent) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = test.pool.subscribe((event) => {
      if (!isIt(event)) return;
      stop();
      resolve();
    });
  });
}

const isClosed = (event: PoolEvent) => event.type === "changed" && event.terminal.state.status === "closed";

describe("a terminal with a controlled program", () => {
  beforeEach(async () => {
    test = await openTestPool({ providers: [provider] });
  });
  afterEach(async () => {
    for (const opened of provider.ptys.splice(0)) opened.exit(0);
    await test.close();
  });

  it("B8 a follower gets the last byte before the end, and the state is closed by then", async () => {
    const id = await spawn();
    const seen: string[] = [];
    test.pool.follow(id, 0, {
      onOutput: ({ bytes }) => void seen.push(Buffer.from(bytes).toString()),
      onGap: () => {},
      onEnd: ({ exitCode }) => seen.push(`end ${exitCode}`),
    });
    const closed = until(isClosed);

    pty.print("last words");
    pty.exit(7);
    await closed;

    expect(seen).toEqual(["last words", "end 7"]);
    expect(await test.pool.get(id)).toMatchObject({ state: { status: "closed", reason: "exited", exitCode: 7 } });
    expect(pty.isClosed).toBe(true);
  });

  it("B2 a closed terminal can be read but not typed into", async () => {
    const id = await spawn();
    const closed = until(isClosed);
    pty.print("kept");
    pty.exit(0);
    await closed;

    expect(await test.pool.history(id, 65_536)).toEqual({ text: "kept", endPosition: 4 });
    expect(await test.pool.list()).toEqual([]);
    await expect(test.pool.write(id, "x")).rejects.toMatchObject({ code: "terminal-closed" });
  });

  it("B2 a title that the program sets is reported", async () => {
    const id = await spawn();
    const changed = until((event) => event.type === "changed" && event.terminal.title === "build");

    pty.print("\x1b]0;build\x07");
    await changed;

    expect(await test.pool.get(id)).toMatchObject({ title: "build" });
  });

  it("C4 an unknown provider starts nothing", async () => {
    await expect(test.spawn({ provider: "container" })).rejects.toMatchObject({ code: "spawn-failed" });
    expect(await test.pool.list()).toEqual([]);
  });

  it("C4 a system error is reported, and frees the reserved place", async () => {
    const broken = {
      name: "broken",
      openPty: () => {
        throw new Error("forkpty failed");
      },
    };
    const other = await openTestPool({ providers: [broken, provider], limits: { maxTerminals: 1 } });

    const spawning = other.spawn({ provider: "broken" });

    await expect(spawning).rejects.toMatchObject({ code: "spawn-failed", message: expect.stringContaining("forkpty") });
    await other.spawn({ provider: "fake" });
    provider.ptys.at(-1)?.exit(0);
    await other.close();
  });

  it("A2 a folder that does not exist starts nothing", async () => {
    await expect(test.spawn({ cwd: "/no/such/folder" })).rejects.toMatchObject({ code: "cwd-not-found" });
    expect(await test.pool.list()).toEqual([]);
  });
});

describe("a tap", () => {
  const taken: string[] = [];
  let isReady = () => {};
  const tap: TerminalTap = {
    output: (bytes) => {
      taken.push(`${bytes.byteLength} bytes`);
      return new Promise((resolve) => {
        isReady = resolve;
      });
    },
    resized: ({ cols, rows }) => taken.push(`${cols}x${rows}`),
    commandTyped: () => {},
    commandFinished: () => {},
    ownerChanged: (owner) => taken.push(`owner ${owner}`),
    closed: async (exitCode) => void taken.push(`closed ${exitCode}`),
  };

  it("G4 gets every byte, and holds the program back", async () => {
    test = await openTestPool({ providers: [provider], openTap: () => tap });
    const id = await spawn();
    const closed = until(isClosed);

    pty.print(Buffer.alloc(1024 * 1024 + 1));
    pty.print("held back");
    expect(taken).toEqual(["1048577 bytes"]);
    isReady();
    await new Promise((resolve) => setImmediate(resolve));
    await test.pool.resize(id, { cols: 100, rows: 30 });
    await test.pool.promote(id);
    pty.exit(0);
    await closed;
    await test.close();

    expect(taken).toEqual(["1048577 bytes", "9 bytes", "100x30", "owner user", "closed 0"]);
  });
});
