import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openRecording, readRecorded } from "../recording/reader.ts";
import { openRecorder } from "../recording/recorder.ts";
import { verifyRecording } from "../recording/recover.ts";

/** Records onto a disk that is full for a while, and prints what can be read from the recording afterwards. */
const dir = process.argv[2] as string;
const filler = join(dir, "filler");
const terminalId = "pty-1";
const KILOBYTES = Buffer.alloc(1024, "x");

function fill(): void {
  const file = openSync(filler, "w");
  try {
    for (;;) writeSync(file, KILOBYTES);
  } catch {
    // It is full.
  }
  closeSync(file);
}

// The recorder's own timers do not keep a process alive.
const alive = setInterval(() => {}, 1_000);
let failed = () => {};
let resumed: (gap: { missedBytes: number }) => void = () => {};
const recorder = await openRecorder({
  dir: join(dir, "recordings"),
  header: { terminalId, startedAt: Date.now(), cols: 80, rows: 24, title: "" },
  now: () => Date.now(),
  onFailed: () => failed(),
  onResumed: (gap) => resumed(gap),
});
await recorder.append(Buffer.from("before\n"));
const recordings = join(dir, "recordings");
while ((await readRecorded(recordings, terminalId, { fromPosition: 0, maxBytes: 7 }))?.endPosition !== 7)
  await delay(5);
fill();
const failing = new Promise<void>((resolve) => {
  failed = resolve;
});
// More than fits into the remaining space.
await recorder.append(Buffer.alloc(300_000, "lost\n"));
await failing;
recorder.mark({ kind: "note", text: "kept" });
await recorder.append(Buffer.from("lost too\n"));
const resuming = new Promise<{ missedBytes: number }>((resolve) => {
  resumed = resolve;
});
rmSync(filler);
const gap = await resuming;
await recorder.append(Buffer.from("after\n"));
await recorder.close({ exitCode: 0 });

const reader = await openRecording(recordings, terminalId);
const events: string[] = [];
for await (const event of reader?.events() ?? []) {
  events.push(event.type === "output" ? Buffer.from(event.bytes).toString() : event.type);
}
const fromGap = await readRecorded(recordings, terminalId, { fromPosition: 10, maxBytes: 1_000_000 });
const fromStart = await readRecorded(recordings, terminalId, { fromPosition: 0, maxBytes: 1_000_000 });
process.stdout.write(
  JSON.stringify({
    gap,
    events,
    fromStart: Buffer.from(fromStart?.bytes ?? []).toString(),
    fromGap: { ...fromGap, bytes: Buffer.from(fromGap?.bytes ?? []).toString() },
    check: await verifyRecording(recordings, terminalId),
  }),
);
clearInterval(alive);
