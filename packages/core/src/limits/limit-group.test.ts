import { expect, test } from "vitest";
import { LimitGroup } from "./limit-group.ts";

const LIMITS = { processes: 9, memoryBytes: null, cpus: null, openFiles: null, fileBytes: null, recordingBytes: null };

test("C13 a group that we are in ourselves is never taken for a terminal's, nor that of a process that is gone", () => {
  // All processes in such a group are ended with the terminal.
  expect(LimitGroup.around(process.pid, LIMITS)).toBeNull();
  expect(LimitGroup.around(process.ppid, LIMITS)).toBeNull();
  expect(LimitGroup.around(2 ** 30, LIMITS)).toBeNull();
});
