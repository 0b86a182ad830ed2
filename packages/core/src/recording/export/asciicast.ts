import { missing, type RecordingMark } from "../format.ts";
import type { RecordingEvent, RecordingReader } from "../reader.ts";

/**
 * A recording as lines of asciicast, version 2 or 3, converted while it is read.
 * It is JSON, so bytes that are not UTF-8 become replacement characters; the
 * raw recording has the original bytes.
 */
export async function* exportAsciicast(
  recording: RecordingReader,
  { version }: { version: 2 | 3 },
): AsyncGenerator<string> {
  const { cols, rows, startedAt, title } = recording.header;
  const timestamp = Math.floor(startedAt / 1_000);
  const optional = title === "" ? {} : { title };
  yield line(
    version === 3
      ? { version, term: { cols, rows }, timestamp, ...optional }
      : { version, width: cols, height: rows, timestamp, ...optional },
  );

  // A character may be split between two chunks; the decoder keeps its first part.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let previousMs = 0;
  for await (const event of recording.events()) {
    const encoded = encode(event, decoder, version);
    if (!encoded) continue;
    const timeMs = version === 3 ? event.timeMs - previousMs : event.timeMs;
    previousMs = event.timeMs;
    yield line([Number((timeMs / 1_000).toFixed(3)), encoded.code, encoded.data]);
  }
}

/** The raw bytes, in order, without times. */
export async function* exportRaw(recording: RecordingReader): AsyncGenerator<Uint8Array> {
  for await (const event of recording.events()) if (event.type === "output") yield event.bytes;
}

function encode(event: RecordingEvent, decoder: TextDecoder, version: 2 | 3): { code: string; data: string } | null {
  switch (event.type) {
    case "output": {
      const data = decoder.decode(event.bytes, { stream: true });
      return data === "" ? null : { code: "o", data };
    }
    case "gap":
      return { code: "m", data: missing(event) };
    case "resized":
      return { code: "r", data: `${event.cols}x${event.rows}` };
    case "marked":
      return { code: "m", data: label(event.mark) };
    case "ended":
      // Version 2 has no event for the end.
      return version === 3 && event.exitCode !== null ? { code: "x", data: String(event.exitCode) } : null;
  }
}

function label(mark: RecordingMark): string {
  switch (mark.kind) {
    case "commandStarted":
      return `$ ${mark.line}`;
    case "commandFinished":
      return mark.exitCode === null ? "finished" : `exit ${mark.exitCode}`;
    case "ownerChanged":
      return mark.to === "user" ? "a person took over" : "given to the agent";
    case "note":
      return mark.text;
  }
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
