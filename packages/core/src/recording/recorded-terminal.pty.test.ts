import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { combineTaps, screenTap } from "../render/screen/screen-tap.ts";
import { Screens } from "../render/screen/screens.ts";
import { TextRenderer } from "../render/text/text-renderer.ts";
import { openTestPool, type TestPool } from "../testing/test-pool.ts";
import { installTrash } from "../trash/install-trash.ts";
import { listTrash } from "../trash/trash.ts";
import { openRecording, type RecordingEvent, readRecorded } from "./reader.ts";
import { recordingTap } from "./recording-tap.ts";
import { verifyRecording } from "./recover.ts";

const bash = { type: "shell", shell: "/bin/bash", login: false } as const;

let test: TestPool;
let screens: Screens;
let renderer: TextRenderer;
let dir: string;

beforeEach(async () => {
  screens = new Screens();
  renderer = new TextRenderer();
  const failed = (id: string, error: Error) => {
    throw new Error(`recording of ${id}`, { cause: error });
  };
  // The folder is known only after the pool is created; terminals come later.
  test = await openTestPool({
    limits: { maxOutputBytes: 64 * 1_024 },
    openTap: (terminal) =>
      combineTaps(
        recordingTap({ dir, onFailed: failed, onResumed: () => {}, onEnded: () => {} }),
        screenTap({ screens, recordingsDir: dir }),
      )(terminal),
  });
  dir = join(test.folder, "recordings");
});
afterEach(async () => {
  await test.close();
  await screens.close();
  await renderer.close();
});

describe("G4 a real terminal", () => {
  it("G4 stays readable completely after the ring buffer has dropped output, and after it is closed", async () => {
    const { id } = await test.spawn();
    const report = await test.run(id, "seq 1 60000");
    await test.pool.kill(id, { reason: "killed" });

    const slice = await readRecorded(dir, id, {
      fromPosition: report.startPosition,
      maxBytes: report.endPosition - report.startPosition,
    });
    const { text, problem } = await renderer.renderText(slice?.bytes ?? new Uint8Array());
    const lines = Array.from({ length: 60_000 }, (_, index) => String(index + 1));

    expect(problem).toBeNull();
    expect(text === lines.join("\n")).toBe(true);
    await vi.waitFor(async () => expect(await verifyRecording(dir, id)).toEqual({ isIntact: true }), 20_000);
  });

  it("G4 never records input at a hidden prompt", async () => {
    const { id } = await test.spawn({ program: bash });
    const report = await test.run(id, "read -rs -p 'Password: ' secret; echo; echo thanks");
    expect(report.state).toBe("waiting_secret");
    await test.pool.write(id, "hunter2\r");
    await test.untilFinished(report);
    await test.pool.kill(id, { reason: "killed" });

    const recording = await openRecording(dir, id);
    const events: RecordingEvent[] = [];
    if (recording) for await (const event of recording.events()) events.push(event);
    await recording?.close();
    const all = events.map((event) =>
      event.type === "output" ? Buffer.from(event.bytes).toString() : JSON.stringify(event),
    );

    expect(all.join("")).toContain("Password: ");
    expect(all.join("")).toContain("thanks");
    expect(all.join("")).not.toContain("hunter2");
  });

  it("shows its screen to new viewers, including full-screen programs", async () => {
    const { id } = await test.spawn({ cols: 40, rows: 10 });
    await test.run(id, "printf '\\033[?1049h\\033[2J\\033[3;5HMENU'");

    await vi.waitFor(async () => {
      const snapshot = await screens.snapshot(id);
      expect(snapshot).toMatchObject({ cols: 40, rows: 10, isAlternate: true, isExact: true });
      expect(Buffer.from(snapshot?.bytes ?? []).toString()).toContain("MENU");
    }, 20_000);
  });

  it("D9 moves removed files to the trash, even if other programs call rm", async () => {
    const trashDir = join(test.folder, "trash");
    const { binDir, functionText } = await installTrash({ trashDir, home: test.folder });
    await writeFile(join(test.folder, ".bashrc"), functionText.posix);
    const { id } = await test.spawn({
      program: bash,
      env: { PATH: `${binDir}:${process.env.PATH}` },
    });
    await test.run(
      id,
      "mkdir w && cd w && touch a b c d e && rm a && echo b | xargs rm && find . -name c -exec rm {} + && sh -c 'rm d'",
    );

    expect((await listTrash(trashDir)).map((item) => item.path.slice(-3)).sort()).toEqual(["w/a", "w/b", "w/c", "w/d"]);
  });
});
