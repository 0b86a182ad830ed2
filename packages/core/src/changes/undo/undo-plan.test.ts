import { expect, test } from "vitest";
import type { FileEntry } from "../entry.ts";
import { planUndo } from "./undo-plan.ts";

/** The id of a content is the content itself. */
const file = (text: string): FileEntry => ({
  type: "file",
  mode: 0o644,
  mtimeMs: 1,
  ctimeMs: 1,
  inode: 1,
  size: text.length,
  id: text,
});

/** Undoes the change from before to after in a file that holds `now`; the merge gives `merged`. */
async function actionFor(now: string, merged: string | null) {
  const [step] = await planUndo([{ path: "a.txt", before: file("one"), after: file("two") }], {
    lookAt: () => ({ entry: file(now), bytes: Buffer.from(now) }),
    readBlob: async (id) => Buffer.from(id),
    merge: async () => (merged === null ? null : Buffer.from(merged)),
    keep: async (bytes) => bytes.toString(),
  });
  return step?.action;
}

test("X9 a file that an earlier undo has merged already is not offered again", async () => {
  expect(await actionFor("two and more", "one and more")).toBe("merge");
  expect(await actionFor("one and more", "one and more")).toBe("nothing");
  expect(await actionFor("one", null)).toBe("nothing");
  expect(await actionFor("three", null)).toBe("conflict");
});
