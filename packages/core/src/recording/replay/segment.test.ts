import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TerminalId } from "@belay/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Screens } from "../../render/screen/screens.ts";
import { openRecording, type RecordingReader } from "../reader.ts";
import { openRecorder } from "../recorder.ts";
import { searchText } from "../search/search-text.ts";
import { readSegment } from "./segment.ts";

const terminalId: TerminalId = "pty-1";
const startedAt = 1_700_000_000_000;
let dir: string;
let screens: Screens;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "belay-segment-"));
  screens = new Screens();
});
afterEach(async () => {
  await screens.close();
  await rm(dir, { recursive: true });
});

async function record(pieces: [atMs: number, text: string][]): Promise<RecordingReader> {
  let clock = startedAt;
  const recorder = await openRecorder({
    dir,
    header: { terminalId, startedAt, cols: 20, rows: 5, title: "demo" },
    now: () => clock,
  });
  for (const [atMs, text] of pieces) {
    clock = startedAt + atMs;
    await recorder.append(Buffer.from(text));
  }
  await recorder.close({ exitCode: 0 });
  const recording = await openRecording(dir, terminalId);
  if (!recording) throw new Error("no recording");
  return recording;
}

test("W6 a segment starts with the screen at that time, followed by the output", async () => {
  const recording = await record([
    [0, "one\r\n"],
    [100, "\u001b[31mtwo\u001b[0m\r\n"],
    [5_000, "three\r\n"],
  ]);

  const whole = await readSegment(recording, { timeMs: 0 }, screens);
  const later = await readSegment(recording, { timeMs: 3_000 }, screens);
  await recording.close();

  expect(whole.events.map(([at]) => at)).toEqual([0, 0, 100, 5_000]);
  expect(later).toMatchObject({ fromMs: 3_000, toMs: 5_000, cols: 20, rows: 5, isExact: true, nextPosition: null });
  const [first, ...rest] = later.events;
  expect(first?.[2]).toContain("one");
  expect(first?.[2]).toContain("two");
  expect(first?.[2]).not.toContain("three");
  expect(rest).toEqual([[5_000, "o", "three\r\n"]]);
});

test("W6 a long recording comes in segments without gaps", async () => {
  const line = `${"x".repeat(1_022)}\r\n`;
  const recording = await record(Array.from({ length: 4_000 }, (_, index) => [index, `${index}:${line}`]));

  const first = await readSegment(recording, { timeMs: 0 }, screens);
  expect(first.nextPosition).toBe(first.endPosition);
  const second = await readSegment(recording, { position: first.nextPosition ?? 0 }, screens);
  const late = await readSegment(recording, { timeMs: 3_999 }, screens);
  await recording.close();

  const textOf = ({ events }: typeof first) =>
    events
      .slice(1)
      .map(([, , text]) => text)
      .join("");
  const both = textOf(first) + textOf(second);
  const whole = Array.from({ length: 4_000 }, (_, index) => `${index}:${line}`).join("");
  expect(both.length).toBeGreaterThan(1_000_000);
  expect(whole.startsWith(both)).toBe(true);
  expect(first.isExact).toBe(true);
  expect(second.isExact).toBe(true);
  // At four megabytes, the screen is drawn from the last two.
  expect(late).toMatchObject({ isExact: false, nextPosition: null });
  expect(late.events[0]?.[2]).toContain("x".repeat(20));
});

test("W6 a text is found in the output, with its time, across colours and ignoring case", async () => {
  const recording = await record([
    [0, "\u001b]0;the\ntitle\u0007plain start\r\n"],
    [700, "some \u001b[1mNee\u001b[0mdle here\r\nand more\r\n"],
    [900, "a needle again\r\n"],
  ]);
  const search = (text: string, maxMatches = 10) =>
    searchText(recording, text, { maxMatches, onBlock: async () => true });

  expect(await search("needle")).toEqual({
    matches: [
      { position: expect.any(Number), timeMs: 700, line: "some Needle here" },
      { position: expect.any(Number), timeMs: 900, line: "a needle again" },
    ],
    isComplete: true,
  });
  expect(await search("needle", 1)).toMatchObject({ matches: [{ timeMs: 700 }], isComplete: false });
  expect(await search("nowhere")).toEqual({ matches: [], isComplete: true });
  await recording.close();
});
