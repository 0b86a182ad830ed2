import { existsSync } from "node:fs";
import { appendFile, mkdtemp, open, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TerminalId } from "@belay/protocol";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { exportAsciicast, exportRaw } from "./export/asciicast.ts";
import { recordingPaths } from "./format.ts";
import { openRecording, type RecordingEvent, type RecordingReader, readRecorded, type SeekTo } from "./reader.ts";
import { openRecorder, Recorder } from "./recorder.ts";
import { listRecordings, recoverRecording, verifyRecording } from "./recover.ts";

// Many small cases in one test: seconds, where the machine is busy with others.
vi.setConfig({ testTimeout: 60_000 });

const terminalId: TerminalId = "pty-1";
const startedAt = 1_700_000_000_000;
let dir: string;
let clock: number;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "belay-recording-"));
  clock = startedAt;
});
afterEach(() => rm(dir, { recursive: true }));

function startRecorder(id = terminalId, maxBytes: number | null = null): Promise<Recorder> {
  return openRecorder({
    dir,
    header: { terminalId: id, startedAt, cols: 80, rows: 24, title: "demo" },
    now: () => clock,
    maxBytes,
  });
}

async function printed(recorder: Recorder, text: string, atMs: number): Promise<void> {
  clock = startedAt + atMs;
  await recorder.append(Buffer.from(text));
}

async function withRecording<Value>(use: (recording: RecordingReader) => Promise<Value>): Promise<Value> {
  const recording = await openRecording(dir, terminalId);
  if (!recording) throw new Error("no recording");
  try {
    return await use(recording);
  } finally {
    await recording.close();
  }
}

async function collect<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}

function short(event: RecordingEvent): string {
  if (event.type === "output") return `${event.timeMs} ${Buffer.from(event.bytes)}`;
  return `${event.timeMs} ${event.type}`;
}

const eventsFrom = (from?: SeekTo) =>
  withRecording(async (recording) => (await collect(recording.events(from))).map(short));

async function recordDemo(): Promise<void> {
  const recorder = await startRecorder();
  await printed(recorder, "one ", 100);
  clock = startedAt + 200;
  recorder.mark({ kind: "commandStarted", commandId: "cmd-1", line: "make" });
  await printed(recorder, "two ", 300);
  clock = startedAt + 400;
  recorder.resize({ cols: 100, rows: 30 });
  recorder.mark({ kind: "ownerChanged", to: "user" });
  await printed(recorder, "thr\u00e9e", 500);
  clock = startedAt + 600;
  await recorder.close({ exitCode: 3 });
}

describe("G4 a recording", () => {
  it("G4 reads marks of earlier versions under their present name", async () => {
    await recordDemo();
    const { index } = recordingPaths(dir, terminalId);
    await writeFile(index, (await readFile(index, "utf8")).replace('"ownerChanged"', '"penMoved"'));

    const events = await withRecording((recording) => collect(recording.events()));

    expect(await readFile(index, "utf8")).toContain('{"kind":"penMoved","to":"user"}');
    expect(events.flatMap((event) => (event.type === "marked" ? [event.mark] : []))).toEqual([
      { kind: "commandStarted", commandId: "cmd-1", line: "make" },
      { kind: "ownerChanged", to: "user" },
    ]);
  });

  it("G4 returns bytes, times, resizes and marks in order", async () => {
    await recordDemo();

    expect(await eventsFrom()).toEqual([
      "100 one ",
      "200 marked",
      "300 two ",
      "400 resized",
      "400 marked",
      "500 thrée",
      "600 ended",
    ]);
    expect(await withRecording((recording) => recording.readDurationMs())).toBe(600);
    expect(await verifyRecording(dir, terminalId)).toEqual({ isIntact: true });
    expect(await listRecordings(dir)).toEqual([terminalId]);
  });

  it("G4 is readable by its owner only, and never replaces another", async () => {
    await recordDemo();

    expect((await stat(recordingPaths(dir, terminalId).raw)).mode & 0o777).toBe(0o600);
    await expect(startRecorder()).rejects.toThrow("EEXIST");
  });

  it("G4 C13 leaves out output above the size limit, as a gap, and keeps positions and marks correct", async () => {
    const recorder = await startRecorder(terminalId, 6);
    await printed(recorder, "first ", 100);
    await printed(recorder, "too much", 200);
    recorder.mark({ kind: "note", text: "here" });
    await printed(recorder, "and more", 300);
    await recorder.close({ exitCode: 0 });

    expect(await eventsFrom()).toEqual(["100 first ", "200 gap", "200 marked", "300 gap", "300 ended"]);
    expect(await verifyRecording(dir, terminalId)).toEqual({ isIntact: true });
  });

  it("G4 seeks by time and by position", async () => {
    await recordDemo();

    expect(await eventsFrom({ timeMs: 301 })).toEqual(["400 resized", "400 marked", "500 thrée", "600 ended"]);
    expect(await eventsFrom({ position: 6 })).toEqual([
      "300 o ",
      "400 resized",
      "400 marked",
      "500 thrée",
      "600 ended",
    ]);
    expect(await withRecording((recording) => recording.readSize({ timeMs: 399 }))).toEqual({ cols: 80, rows: 24 });
    expect(await withRecording((recording) => recording.readSize({ timeMs: 400 }))).toEqual({ cols: 100, rows: 30 });
  });

  it("G4 reads any position, also while it is being written", async () => {
    const recorder = await startRecorder();
    await printed(recorder, "0123456789", 10);
    await recorder.close({ exitCode: null });

    const slice = await readRecorded(dir, terminalId, { fromPosition: 4, maxBytes: 3 });
    expect(slice).toMatchObject({ fromPosition: 4, toPosition: 7, missedBytes: 0, endPosition: 10 });
    expect(Buffer.from(slice?.bytes ?? []).toString()).toBe("456");
    expect(await readRecorded(dir, "pty-2", { fromPosition: 0, maxBytes: 1 })).toBeNull();
  });

  it("G4 time never runs backwards when the clock does", async () => {
    const recorder = await startRecorder();
    await printed(recorder, "a", 500);
    await printed(recorder, "b", 20);
    await recorder.close({ exitCode: 0 });

    const times = (await eventsFrom()).map((line) => Number.parseInt(line, 10));
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  it("G4 loses nothing that arrives just as a write ends", async () => {
    for (let round = 0; round < 50; round++) {
      const id: TerminalId = `pty-r${round}`;
      const recorder = await startRecorder(id);
      await recorder.append(Buffer.from("a"));
      // A different number of ticks each time, so that some land between the end of a write and its callback.
      for (let tick = 0; tick < round; tick++) await Promise.resolve();
      await stat(recordingPaths(dir, id).raw);
      for (let tick = 0; tick < round % 7; tick++) await Promise.resolve();
      await recorder.append(Buffer.from("b"));
      await recorder.close({ exitCode: 0 });

      expect((await readRecorded(dir, id, { fromPosition: 0, maxBytes: 9 }))?.endPosition).toBe(2);
      expect(await verifyRecording(dir, id)).toEqual({ isIntact: true });
    }
  });

  it("G4 searches an index of many blocks", async () => {
    const recorder = await startRecorder();
    for (let index = 0; index < 20_000; index++) await printed(recorder, String(index).padStart(8, "0"), index * 10);
    await recorder.close({ exitCode: 0 });

    const first = (from: SeekTo) =>
      withRecording(async (recording) => {
        for await (const event of recording.events(from)) return short(event);
      });
    for (const wanted of [0, 1, 777, 10_000, 19_998, 19_999]) {
      const expected = `${wanted * 10} ${String(wanted).padStart(8, "0")}`;
      expect(await first({ timeMs: wanted * 10 })).toBe(expected);
      expect(await first({ position: wanted * 8 })).toBe(expected);
    }
  });

  it("G4 waits for the disk when much is pending, and loses nothing", async () => {
    const recorder = await startRecorder();
    const chunk = Buffer.alloc(300_000, "x");
    for (let index = 0; index < 20; index++) await recorder.append(chunk);
    await recorder.close({ exitCode: 0 });

    expect((await readRecorded(dir, terminalId, { fromPosition: 0, maxBytes: 1 }))?.endPosition).toBe(6_000_000);
    expect(await verifyRecording(dir, terminalId)).toEqual({ isIntact: true });
  });
});

describe.runIf(existsSync("/dev/full"))("G4 a disk that is full", () => {
  it("G4 is reported, blocks nothing, and leaves the recording unclosed", async () => {
    const failures: string[] = [];
    const recorder = new Recorder({
      dir,
      paths: recordingPaths(dir, terminalId),
      raw: await open("/dev/full", "a"),
      index: await open(join(dir, "index"), "w"),
      header: { version: 1, terminalId, startedAt, cols: 80, rows: 24, title: "" },
      now: () => clock,
      onFailed: (error) => failures.push(error.message),
    });

    await recorder.append(Buffer.alloc(2_000_000));
    await recorder.append(Buffer.from("more"));
    await recorder.close({ exitCode: 0 });

    // Once when it was written, and once when it was closed.
    expect(failures[0]).toContain("ENOSPC");
    expect(failures.length).toBeLessThan(4);
  });
});

describe("G4 a recording whose writer died", () => {
  it("G4 keeps all bytes, drops a partial line, and is closed as recovered", async () => {
    await recordDemo();
    const { index, raw } = recordingPaths(dir, terminalId);
    const lines = (await readFile(index, "utf8")).trimEnd().split("\n");
    await writeFile(index, `${lines.slice(0, -1).join("\n")}\n[700,13,`);
    await appendFile(raw, "tail");

    expect(await verifyRecording(dir, terminalId)).toEqual({ isIntact: false, reason: "not-ended" });
    expect(await recoverRecording(dir, terminalId)).toBe("recovered");
    expect(await recoverRecording(dir, terminalId)).toBe("intact");

    expect((await eventsFrom()).slice(-3)).toEqual(["500 thrée", "500 tail", "500 ended"]);
    expect(await withRecording((recording) => recording.readEnd())).toMatchObject({
      isRecovered: true,
      exitCode: null,
    });
    expect(await verifyRecording(dir, terminalId)).toEqual({ isIntact: true });
  });

  it("G4 survives a cut at any byte of either file", async () => {
    await recordDemo();
    const { index, raw } = recordingPaths(dir, terminalId);
    const [indexBytes, rawBytes] = await Promise.all([readFile(index), readFile(raw)]);

    for (let cut = 1; cut < indexBytes.byteLength; cut += 7) {
      await writeFile(index, indexBytes);
      await truncate(index, cut);
      const outcome = await recoverRecording(dir, terminalId);
      if (outcome === "unreadable") continue;
      const bytes = await withRecording(async (recording) => Buffer.concat(await collect(exportRaw(recording))));
      expect(bytes.equals(rawBytes)).toBe(true);
    }
  });

  it("G4 detects a change of one byte", async () => {
    await recordDemo();
    const { raw, index } = recordingPaths(dir, terminalId);
    const before = await readFile(raw);
    await writeFile(raw, Buffer.from(before).fill("X", 0, 1));
    expect(await verifyRecording(dir, terminalId)).toEqual({ isIntact: false, reason: "changed" });

    await writeFile(raw, before);
    await writeFile(index, (await readFile(index, "utf8")).replace('"line":"make"', '"line":"fake"'));
    expect(await verifyRecording(dir, terminalId)).toEqual({ isIntact: false, reason: "changed" });
  });
});

describe("G4 exports", () => {
  const cast = (version: 2 | 3) => withRecording((recording) => collect(exportAsciicast(recording, { version })));

  it("G4 asciicast v3 counts from event to event", async () => {
    await recordDemo();

    expect((await cast(3)).map((line) => JSON.parse(line))).toEqual([
      { version: 3, term: { cols: 80, rows: 24 }, timestamp: 1_700_000_000, title: "demo" },
      [0.1, "o", "one "],
      [0.1, "m", "$ make"],
      [0.1, "o", "two "],
      [0.1, "r", "100x30"],
      [0, "m", "a person took over"],
      [0.1, "o", "thrée"],
      [0.1, "x", "3"],
    ]);
  });

  it("G4 asciicast v2 counts from the start", async () => {
    await recordDemo();

    expect((await cast(2)).map((line) => JSON.parse(line))).toEqual([
      { version: 2, width: 80, height: 24, timestamp: 1_700_000_000, title: "demo" },
      [0.1, "o", "one "],
      [0.2, "m", "$ make"],
      [0.3, "o", "two "],
      [0.4, "r", "100x30"],
      [0.4, "m", "a person took over"],
      [0.5, "o", "thrée"],
    ]);
  });

  it("G4 asciicast joins a character that came in two parts", async () => {
    const recorder = await startRecorder();
    const euro = Buffer.from("€");
    clock += 50;
    await recorder.append(euro.subarray(0, 1));
    clock += 50;
    await recorder.append(euro.subarray(1));
    await recorder.close({ exitCode: 0 });

    expect((await cast(2)).slice(1).map((line) => JSON.parse(line))).toEqual([[0.1, "o", "€"]]);
  });

  it("G4 property: no byte is lost, for any output in chunks of any size", async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ bytes: fc.uint8Array({ maxLength: 300 }), waitMs: fc.nat(20) }), { maxLength: 30 }),
        async (chunks) => {
          const id: TerminalId = `pty-p${count++}`;
          const recorder = await startRecorder(id);
          for (const { bytes, waitMs } of chunks) {
            clock += waitMs;
            await recorder.append(bytes);
          }
          await recorder.close({ exitCode: 0 });

          const recording = await openRecording(dir, id);
          const read = Buffer.concat(recording ? await collect(exportRaw(recording)) : []);
          await recording?.close();
          expect(read.equals(Buffer.concat(chunks.map((chunk) => chunk.bytes)))).toBe(true);
          expect(await verifyRecording(dir, id)).toEqual({ isIntact: true });
        },
      ),
      { numRuns: 50 },
    );
  });
});
