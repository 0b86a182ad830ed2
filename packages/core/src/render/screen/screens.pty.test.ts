import { afterEach, describe, expect, it } from "vitest";
import { Emulator } from "../emulator.ts";
import { Screens, type ScreensOptions } from "./screens.ts";

const size = { cols: 40, rows: 5 };
const open: Screens[] = [];

function createScreens(options?: ScreensOptions): Screens {
  const screens = new Screens(options);
  open.push(screens);
  return screens;
}

afterEach(async () => {
  for (const screens of open.splice(0)) await screens.close();
});

/** What a viewer sees who attaches with this snapshot. */
function attach(snapshot: { bytes: Uint8Array; cols: number; rows: number } | null): string[] {
  if (!snapshot) throw new Error("no snapshot");
  const emulator = new Emulator({ ...snapshot, scrollbackLines: 1_000 });
  emulator.write(snapshot.bytes);
  const screen = emulator.terminal.buffer.active;
  return Array.from({ length: screen.length }, (_, row) => screen.getLine(row)?.translateToString(true) ?? "");
}

describe("screens in a thread", () => {
  it("show their output, with its position", async () => {
    const screens = createScreens();
    screens.open("a", { ...size, position: 0 });
    await screens.feed("a", 0, Buffer.from("hello "));
    await screens.feed("a", 6, Buffer.from("\x1b]2;title\x07\x1b[?1049h\x1b[Hmenu"));

    const snapshot = await screens.snapshot("a");

    expect(snapshot).toMatchObject({ ...size, position: 31, title: "title", isAlternate: true, isExact: true });
    expect(attach(snapshot)[0]).toBe("menu");
  });

  it("keep the order of output, resizes and snapshots", async () => {
    const screens = createScreens();
    screens.open("a", { ...size, position: 0 });
    void screens.feed("a", 0, Buffer.from("one"));
    const before = screens.snapshot("a");
    screens.resize("a", { cols: 60, rows: 8 });
    void screens.feed("a", 3, Buffer.from("two"));
    const after = screens.snapshot("a");

    expect(await before).toMatchObject({ ...size, position: 3 });
    expect(await after).toMatchObject({ cols: 60, rows: 8, position: 6 });
    expect(attach(await after)[0]).toBe("onetwo");
  });

  it("are independent, and gone when dropped", async () => {
    const screens = createScreens();
    for (const id of ["a", "b"]) screens.open(id, { ...size, position: 0 });
    await screens.feed("a", 0, Buffer.from("A"));
    await screens.feed("b", 0, Buffer.from("B"));
    screens.drop("a");

    expect(await screens.snapshot("a")).toBeNull();
    expect(attach(await screens.snapshot("b"))[0]).toBe("B");
  });

  it("start over when opened again, even with pending output", async () => {
    const screens = createScreens();
    screens.open("a", { ...size, position: 0 });
    void screens.feed("a", 0, Buffer.from("first"));
    void screens.feed("a", 5, Buffer.from("x".repeat(100_000)));
    screens.open("a", { ...size, position: 0 });
    await screens.feed("a", 0, Buffer.from("second"));

    const snapshot = await screens.snapshot("a");

    expect(snapshot).toMatchObject({ position: 6, isExact: true });
    expect(attach(snapshot).filter(Boolean)).toEqual(["second"]);
  });

  it("survive a flood completely, and hold its feeder back", async () => {
    const screens = createScreens({ maxPendingBytes: 100_000 });
    screens.open("a", { ...size, position: 0 });
    const chunk = Buffer.from("0123456789abcde\r\n".repeat(3_000));
    let position = 0;
    let mostAhead = 0;
    let taken = 0;
    for (let index = 0; index < 60; index++) {
      const fed = screens.feed("a", position, chunk).then(() => {
        taken += chunk.byteLength;
      });
      position += chunk.byteLength;
      mostAhead = Math.max(mostAhead, position - taken);
      await fed;
    }
    await screens.feed("a", position, Buffer.from("the end"));

    const snapshot = await screens.snapshot("a", { scrollbackLines: 100 });

    expect(snapshot).toMatchObject({ position: position + 7, isExact: true });
    expect(attach(snapshot).slice(-2)).toEqual(["0123456789abcde", "the end"]);
    expect(mostAhead).toBeLessThanOrEqual(2 * chunk.byteLength + 100_000);
  });

  it("are sketched once for all viewers, and again when there is more", async () => {
    const screens = createScreens();
    screens.open("a", { ...size, position: 0 });
    let printed = "one";
    const end = () => ({ size, position: printed.length, bytes: Buffer.from(printed) });
    screens.follows("a", { end, wanted: () => {} });

    const [first, second] = await Promise.all([screens.snapshot("a"), screens.snapshot("a")]);
    printed = "one two";
    const third = await screens.snapshot("a");

    expect(second).toBe(first);
    expect(first).toMatchObject({ position: 3, isExact: false });
    expect(attach(third)[0]).toBe("one two");
  });

  it("are sketched before output that waits for the thread", async () => {
    const screens = createScreens();
    for (const id of ["a", "b", "c", "flooding"]) screens.open(id, { ...size, position: 0 });
    screens.follows("flooding", { end: () => ({ size, position: 3, bytes: Buffer.from("end") }), wanted: () => {} });
    await screens.snapshot("a");
    const order: string[] = [];
    const exact = ["b", "c"].map((id) => screens.snapshot(id).then(() => order.push(id)));
    // Both requests are made in microtasks; no answer can come before the event loop goes on.
    await new Promise<void>((resolve) => process.nextTick(() => queueMicrotask(resolve)));
    const sketch = screens.snapshot("flooding").then(() => order.push("flooding"));
    await Promise.all([...exact, sketch]);

    // Only the one that the thread had begun comes first.
    expect(order).toEqual(["b", "flooding", "c"]);
  });

  it("are suspended and restored unchanged", async () => {
    const screens = createScreens({ restMs: 1 });
    for (const id of ["a", "b"]) screens.open(id, { ...size, position: 0 });
    await screens.feed("a", 0, Buffer.from("\x1b[31mred\x1b[5;1Hlast"));
    // Each is a round trip, between which the first screen is suspended.
    for (let index = 0; index < 50; index++) await screens.snapshot("b");
    await screens.feed("a", 18, Buffer.from(" line"));

    expect(attach(await screens.snapshot("a")).filter(Boolean)).toEqual(["red", "last line"]);
  });

  it("survive a hanging thread: they continue, and say that they may be wrong", async () => {
    let lost = 0;
    const hanging = new URL(
      `data:text/javascript,${encodeURIComponent(`
        import { parentPort } from "node:worker_threads";
        parentPort.postMessage("ready");
        const seen = [];
        parentPort.on("message", (request) => {
          if (request.bytes?.[0] === 104) for (;;);
          seen.push(request.type);
          parentPort.postMessage({ ok: true, value: request.type === "snapshotScreen" ? { seen } : null });
        });
      `)}`,
    );
    const screens = createScreens({ workerUrl: hanging, watchdogMs: 1_000, onLost: () => lost++ });
    screens.open("a", { ...size, position: 0 });
    await screens.feed("a", 0, Buffer.from("first"));
    expect(await screens.snapshot("a")).toEqual({ seen: ["feedScreen", "snapshotScreen"] });
    await screens.feed("a", 5, Buffer.from("hang"));

    // A new thread, without the earlier output; the real one marks such a screen as inexact.
    expect(await screens.snapshot("a")).toEqual({ seen: ["snapshotScreen"] });
    await screens.feed("a", 9, Buffer.from("after"));
    expect(await screens.snapshot("a")).toEqual({ seen: ["snapshotScreen", "feedScreen", "snapshotScreen"] });
    expect(lost).toBe(1);
  });

  it("never throw: a closed thread gives an empty picture", async () => {
    const screens = createScreens();
    screens.open("a", { ...size, position: 0 });
    const snapshot = screens.snapshot("a");
    await screens.close();

    expect(await snapshot).toMatchObject({ position: 0, isExact: false });
  });
});
