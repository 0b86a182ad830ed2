import { rename, rm, writeFile } from "node:fs/promises";
import type { z } from "zod";
import type { Screens } from "../../render/screen/screens.ts";
import { freshPath } from "../derived-files.ts";
import { recordingPaths } from "../format.ts";
import type { RecordingReader } from "../reader.ts";
import { FRAME_BYTES, type FramesHeader } from "./frames.ts";

/**
 * Renders a long recording once and stores the screen at every megabyte, so that seeking is exact without rendering
 * everything before. A recording whose screen cannot be rendered exactly has no frames. `onFrame` is awaited after each.
 */
export async function buildFrames(
  dir: string,
  recording: RecordingReader,
  { screens, onFrame }: { screens: Screens; onFrame: () => Promise<void> },
): Promise<void> {
  const { terminalId } = recording.header;
  const { frames: path } = recordingPaths(dir, terminalId);
  const end = await recording.readEnd();
  if (!end || end.position < FRAME_BYTES) return;
  const id = `frames-${terminalId}`;
  const lines = [JSON.stringify({ version: 1, rawSha256: end.rawSha256 } satisfies z.infer<typeof FramesHeader>)];
  let nextAt = FRAME_BYTES;
  screens.open(id, { position: 0, ...recording.header });
  try {
    for await (const event of recording.events()) {
      if (event.type === "resized") screens.resize(id, { cols: event.cols, rows: event.rows });
      if (event.type !== "output") continue;
      if (event.position >= nextAt) {
        const drawn = await screens.snapshot(id, { scrollbackLines: 0 });
        if (!drawn?.isExact) break;
        const { position, cols, rows } = drawn;
        lines.push(JSON.stringify({ position, cols, rows, bytes: Buffer.from(drawn.bytes).toString("base64") }));
        nextAt = event.position + FRAME_BYTES;
        await onFrame();
      }
      await screens.feed(id, event.position, event.bytes);
    }
  } finally {
    screens.drop(id);
  }
  await writeFile(freshPath(path), `${lines.join("\n")}\n`, { mode: 0o600 });
  // Not if it was redacted meanwhile: the frames show the old content.
  if ((await recording.readEnd())?.rawSha256 === end.rawSha256) await rename(freshPath(path), path);
  else await rm(freshPath(path), { force: true });
}
