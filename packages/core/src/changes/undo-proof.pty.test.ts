import { expect, test } from "vitest";
import { proveCrashes } from "../testing/changes/prove-crashes.ts";
import { proveUndo } from "../testing/changes/prove-undo.ts";

const searchPath = "/usr/local/bin:/usr/bin:/bin";

// A small share; `npm run prove:undo` does thousands.
test("X9 after an undo, and after an undo of everything, the tree is the same as before", async () => {
  expect(await proveUndo(1, 30, { searchPath })).toEqual({ commands: 30, failures: [] });
});

test("X9 the same without kernel events, with full scans", async () => {
  expect(await proveUndo(2, 10, { searchPath, watches: false })).toEqual({ commands: 10, failures: [] });
});

test("X9 a process killed during a snapshot or an undo leaves a state that is detected and repaired", async () => {
  expect(await proveCrashes(1, 3, searchPath)).toMatchObject({ kills: 3, problems: [] });
});
