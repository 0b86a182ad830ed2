import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { exportAsciicast, exportRaw, exportText, openRecording, type RecordingReader, TextRenderer } from "@belay/core";
import type { TerminalId } from "@belay/protocol";

export type RecordingFormat = "asciicast" | "asciicast-v2" | "text" | "raw";

/** Writes a recording to standard output. False if there is none. */
export async function printRecording(dir: string, id: TerminalId, format: RecordingFormat): Promise<boolean> {
  const recording = await openRecording(dir, id);
  if (!recording) return false;
  const renderer = new TextRenderer();
  try {
    await pipeline(Readable.from(exportAs(format, recording, renderer)), process.stdout, { end: false });
  } finally {
    await Promise.all([recording.close(), renderer.close()]);
  }
  return true;
}

function exportAs(format: RecordingFormat, recording: RecordingReader, renderer: TextRenderer) {
  switch (format) {
    case "asciicast":
      return exportAsciicast(recording, { version: 3 });
    case "asciicast-v2":
      return exportAsciicast(recording, { version: 2 });
    case "text":
      return exportText(recording, renderer);
    case "raw":
      return exportRaw(recording);
  }
}
