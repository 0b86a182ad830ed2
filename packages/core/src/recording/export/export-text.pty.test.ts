import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { TextRenderer } from "../../render/text/text-renderer.ts";
import { openRecording } from "../reader.ts";
import { openRecorder } from "../recorder.ts";
import { exportText } from "./export-text.ts";

it("G4 a recording is exported as plain text, without breaking lines between its parts", async () => {
  const dir = await mkdtemp(join(tmpdir(), "belay-recording-"));
  const renderer = new TextRenderer();
  const lines = Array.from({ length: 400_000 }, (_, index) => `line ${index}`);
  try {
    const recorder = await openRecorder({
      dir,
      header: { terminalId: "pty-1", startedAt: 0, cols: 80, rows: 24, title: "" },
      now: () => 0,
    });
    await recorder.append(Buffer.from(`\x1b[31m10%\r100%\x1b[0m\r\n${lines.join("\r\n")}\r\n`));
    await recorder.close({ exitCode: 0 });

    const recording = await openRecording(dir, "pty-1");
    let text = "";
    if (recording) for await (const part of exportText(recording, renderer)) text += part;
    await recording?.close();

    expect(text === `100%\n${lines.join("\n")}\n`).toBe(true);
  } finally {
    await renderer.close();
    await rm(dir, { recursive: true });
  }
});
