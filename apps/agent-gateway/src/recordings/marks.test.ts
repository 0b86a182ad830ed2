import { openRecorder, openRecording } from "@belay/core";
import { expect, test } from "vitest";
import { openTestRecord } from "../testing/write-record.ts";
import { readMarks } from "./marks.ts";

const agent = { type: "agent", id: "agt-robot1" } as const;
const STARTED_AT = 1_000;

test("W6 where there are too many marks, the first ones are listed, and it says up to when", async () => {
  const { db, folder, open } = openTestRecord();
  const log = open();
  let now = STARTED_AT;
  const header = { terminalId: "pty-1", startedAt: STARTED_AT, cols: 80, rows: 24, title: "" } as const;
  const recorder = await openRecorder({ dir: folder, header, now: () => now });
  for (const second of [1, 2, 3, 4]) {
    now = STARTED_AT + second * 1_000;
    recorder.mark({ kind: "note", text: `note ${second}` });
  }
  await recorder.close({ exitCode: 0 });
  const recording = await openRecording(folder, "pty-1");
  if (!recording) throw new Error("no recording");
  // By the clock of the test's record, that is before the first note.
  await log.append({ type: "command.asked", actor: agent, commandId: "cmd-1", terminalId: "pty-1", detail: {} });

  const all = await readMarks(db, recording, 4);
  expect(all).toMatchObject({ marksEndMs: null });
  expect(all.marks.map(({ text }) => text)).toEqual(["asked a person", "note 1", "note 2", "note 3", "note 4"]);
  const some = await readMarks(db, recording, 2);
  expect(some.marksEndMs).toBe(3_000);
  expect(some.marks.map(({ text }) => text)).toEqual(["asked a person", "note 1", "note 2"]);
  await recording.close();
  await log.close();
});
