import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TerminalId } from "@belay/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Screens } from "../../render/screen/screens.ts";
import { recordingPaths } from "../format.ts";
import { deleteRecording } from "../old-recordings.ts";
import { openRecording } from "../reader.ts";
import { openRecorder } from "../recorder.ts";
import { redactRecording } from "../redact-recording.ts";
import { readSegment } from "../replay/segment.ts";
import { GramFilter } from "./gram-filter.ts";
import { loadGramIndex } from "./gram-index.ts";
import { createRecordingService } from "./recording-service.ts";

const startedAt = 1_700_000_000_000;
const service = createRecordingService();
let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "belay-search-"));
});
afterEach(() => rm(dir, { recursive: true }));

async function record(terminalId: TerminalId, pieces: Iterable<[atMs: number, text: string]>): Promise<void> {
  let clock = startedAt;
  const header = { terminalId, startedAt, cols: 40, rows: 5, title: "demo" };
  const recorder = await openRecorder({ dir, header, now: () => clock });
  for (const [atMs, text] of pieces) {
    clock = startedAt + atMs;
    await recorder.append(Buffer.from(text));
  }
  await recorder.close({ exitCode: 0 });
}

/** More than a block, and more than a frame. */
function* longOutput(): Generator<[number, string]> {
  for (let piece = 0; piece < 1_500; piece += 1) {
    const lines = Array.from({ length: 20 }, (_, at) => `line ${piece * 20 + at} ${"of a long build ".repeat(5)}\r\n`);
    yield [piece * 1_000, piece === 1_000 ? "the needle: Käse-7\r\n" : lines.join("")];
  }
}

const search = (text: string) => service.search(dir, { text, cursor: 0 });

test("W6 a filter never misses a text that is there, and rules out most that are not", () => {
  const words = Array.from({ length: 2_000 }, (_, index) => `word${(index * 7_919) % 100_003}`);
  const filter = GramFilter.of(words.join(" "));

  expect(words.filter((word) => !filter.mayContain(word.toUpperCase()))).toEqual([]);
  const others = Array.from({ length: 1_000 }, (_, index) => `stranger-${index}`);
  expect(others.filter((word) => filter.mayContain(word)).length).toBeLessThan(20);
  expect(GramFilter.of("short").words.length).toBe(8);
});

test("W6 the index finds what reading finds, and reads only the blocks that may have it", {
  timeout: 60_000,
}, async () => {
  await record("pty-1", longOutput());
  await record("pty-2", [[0, "nothing of interest\r\n"]]);
  const read = await search("käse-7");

  await service.prepare(dir, "pty-1");
  await service.prepare(dir, "pty-2");

  expect(await search("käse-7")).toEqual(read);
  expect(read.found).toMatchObject([{ id: "pty-1", matches: [{ timeMs: 1_000_000, line: "the needle: Käse-7" }] }]);
  expect((await search("line 29999")).found).toMatchObject([{ matches: [{ timeMs: 1_499_000 }] }]);
  const end = await readEnd("pty-1");
  const index = await loadGramIndex(dir, "pty-1", end?.rawSha256 ?? "");
  expect([...(index?.candidates("käse-7") ?? [])]).toHaveLength(1);
});

test("W6 a jump to anywhere shows the screen exactly as it was", { timeout: 60_000 }, async () => {
  // A header that stays above a scroll region, as a full-screen program draws it: the last megabytes do not have it.
  await record("pty-1", [[0, "\u001b[2J\u001b[HTHE HEADER\u001b[2;5r\u001b[2;1H"], ...longOutput()]);
  const screens = new Screens();
  const at = async () => {
    const recording = await openRecording(dir, "pty-1");
    const segment = await readSegment(recording as NonNullable<typeof recording>, { timeMs: 1_450_000 }, screens);
    await recording?.close();
    return { isExact: segment.isExact, screen: segment.events[0]?.[2] ?? "" };
  };
  const before = await at();

  await service.prepare(dir, "pty-1");
  const after = await at();

  expect(before).toMatchObject({ isExact: false });
  expect(before.screen).not.toContain("THE HEADER");
  expect(after).toMatchObject({ isExact: true });
  expect(after.screen).toContain("THE HEADER");
  expect(after.screen).toContain("line 28999");
  await screens.close();
});

test("W6 W5 what is redacted or removed is gone from index and frames, too", { timeout: 60_000 }, async () => {
  await record("pty-1", longOutput());
  await service.prepare(dir, "pty-1");
  const { grams, frames } = recordingPaths(dir, "pty-1");
  expect([existsSync(grams), existsSync(frames)]).toEqual([true, true]);

  await redactRecording(dir, "pty-1", { fromMs: 1_000_000, toMs: 1_000_000 }, async () => {});
  expect([existsSync(grams), existsSync(frames)]).toEqual([false, false]);
  await service.prepare(dir, "pty-1");

  expect((await search("Käse-7")).found).toEqual([]);
  const end = await readEnd("pty-1");
  const index = await loadGramIndex(dir, "pty-1", end?.rawSha256 ?? "");
  expect([...(index?.candidates("käse-7") ?? ["none"])]).toEqual([]);
  expect(await readFile(frames, "utf8")).toContain(end?.rawSha256);
  await deleteRecording(dir, "pty-1");
  expect([existsSync(grams), existsSync(frames)]).toEqual([false, false]);
});

test("W6 an index of other bytes is not used, and one that is cut off is made anew", async () => {
  await record("pty-1", [[0, "first\r\n"]]);
  await service.prepare(dir, "pty-1");

  expect(await loadGramIndex(dir, "pty-1", "of other bytes")).toBeNull();
  expect(await service.prepare(dir, "pty-none")).toBe(true);
  expect((await search("first")).found).toHaveLength(1);
});

async function readEnd(id: TerminalId) {
  const recording = await openRecording(dir, id);
  return recording?.readEnd().finally(() => recording.close());
}
