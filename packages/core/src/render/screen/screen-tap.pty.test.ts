import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandReport, TerminalInfo } from "@belay/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openRecording, type RecordingEvent } from "../../recording/reader.ts";
import { recordingTap } from "../../recording/recording-tap.ts";
import { verifyRecording } from "../../recording/recover.ts";
import type { OpenTap } from "../../terminal/tap.ts";
import { combineTaps, screenTap } from "./screen-tap.ts";
import { Screens } from "./screens.ts";

const terminal: TerminalInfo = {
  id: "pty-1",
  owner: "agent",
  visible: true,
  agentId: null,
  name: null,
  title: "",
  cwd: "/",
  command: null,
  shell: "/bin/sh",
  createdAt: 1_000,
  cols: 40,
  rows: 5,
  state: { status: "running", pid: 1 },
  activity: { kind: "idle" },
  position: 0,
};
const report: CommandReport = {
  commandId: "cmd-1",
  terminalId: "pty-1",
  state: "completed",
  evidence: "marker",
  exitCode: 0,
  startPosition: 0,
  endPosition: 0,
  cwd: "/",
  durationMs: 1,
};

let dir: string;
let screens: Screens;
let failures: string[];
let openTap: OpenTap;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "belay-tap-"));
  screens = new Screens();
  failures = [];
  const recording = recordingTap({
    dir,
    onFailed: (id, error) => failures.push(`${id} ${error.message}`),
    onResumed: () => {},
    onEnded: () => {},
  });
  openTap = combineTaps(recording, screenTap({ screens, recordingsDir: dir }));
});
afterEach(async () => {
  await screens.close();
  await rm(dir, { recursive: true, force: true });
});

async function recorded(): Promise<RecordingEvent[]> {
  const recording = await openRecording(dir, "pty-1");
  const events: RecordingEvent[] = [];
  if (recording) for await (const event of recording.events()) events.push(event);
  await recording?.close();
  return events;
}

describe("G4 a terminal's tap", () => {
  it("G4 records output, sizes, commands and takeovers, and shows the screen", async () => {
    const tap = openTap(terminal);
    tap.commandTyped({ commandId: "cmd-1", line: "make", position: 0 });
    await tap.output(Buffer.from("hello"));
    tap.commandFinished(report);
    tap.resized({ cols: 60, rows: 8 });
    tap.ownerChanged("user");
    const snapshot = await vi.waitFor(async () => {
      const taken = await screens.snapshot("pty-1");
      expect(taken).toMatchObject({ position: 5, cols: 60, rows: 8, isExact: true });
      return taken;
    }, 20_000);
    await tap.closed(0);

    expect(Buffer.from(snapshot?.bytes ?? []).toString()).toContain("hello");
    expect((await recorded()).map((event) => (event.type === "marked" ? event.mark.kind : event.type))).toEqual([
      "commandStarted",
      "output",
      "commandFinished",
      "resized",
      "ownerChanged",
      "ended",
    ]);
    expect(await verifyRecording(dir, "pty-1")).toEqual({ isIntact: true });
  });

  it("G4 never holds a flood back for the screen, which catches up without loss", async () => {
    const tap = openTap(terminal);
    const chunk = Buffer.from("0123456789abcdefghijklmnopqrstuv\r\n".repeat(1_900));
    let position = 0;
    for (let index = 0; index < 120; index++) {
      await tap.output(chunk);
      position += chunk.byteLength;
    }
    tap.resized({ cols: 50, rows: 6 });
    await tap.output(Buffer.from("the end"));

    await vi.waitFor(
      async () => {
        const snapshot = await screens.snapshot("pty-1");
        expect(snapshot).toMatchObject({ position: position + 7, cols: 50, rows: 6, isExact: true });
        expect(Buffer.from(snapshot?.bytes ?? []).toString()).toContain("the end");
      },
      { timeout: 50_000 },
    );
    await tap.closed(0);
    expect(failures).toEqual([]);
  });

  it("G4 sketches the screen from the end of a flood for viewers who attach meanwhile", async () => {
    const tap = openTap(terminal);
    const chunk = Buffer.from("0123456789abcdefghijklmnopqrstuv\r\n".repeat(1_900));
    for (let index = 0; index < 60; index++) void tap.output(chunk);
    await tap.output(Buffer.from("the end"));
    const position = 60 * chunk.byteLength + 7;

    const sketch = await screens.snapshot("pty-1");
    const exact = await screens.snapshot("pty-1", { waitsUntilExact: true });

    expect(sketch).toMatchObject({ position, cols: 40, rows: 5, isExact: false });
    expect(Buffer.from(sketch?.bytes ?? []).toString()).toContain("the end");
    expect(exact).toMatchObject({ position, cols: 40, rows: 5, isExact: true });
    expect(Buffer.from(exact?.bytes ?? []).toString()).toContain("the end");
    await tap.closed(0);
  }, 50_000);

  it("G4 does not follow a flood with which the emulator could keep up, because viewers need the processor", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const tap = openTap(terminal);
    const chunk = Buffer.from("0123456789abcdefghijklmnopqrstuv\r\n".repeat(1_900));
    const followed: boolean[] = [];
    for (let index = 0; index < 20; index++) {
      await tap.output(chunk);
      // Waits for the emulator, so it is never behind.
      followed.push((await screens.snapshot("pty-1"))?.isExact === true);
    }
    vi.useRealTimers();

    expect(followed.slice(0, 16)).toEqual(Array(16).fill(true));
    expect(followed.slice(16)).toEqual(Array(4).fill(false));
    await tap.closed(0);
  });

  it("G4 a recording that cannot be started is reported, and the terminal keeps running", async () => {
    const first = openTap(terminal);
    await first.output(Buffer.from("first"));
    const second = openTap(terminal);
    await second.output(Buffer.from("second"));
    await Promise.all([first.closed(0), second.closed(0)]);

    expect(failures).toEqual([expect.stringMatching(/^pty-1 EEXIST/)]);
  });
});
