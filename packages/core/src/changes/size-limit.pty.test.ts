import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openScratch } from "../testing/changes/open-scratch.ts";

const searchPath = "/usr/local/bin:/usr/bin:/bin";
const LIMIT = 1_000_000;

test("X9 a store that outgrows its limit loses its oldest snapshots at once, and the newest can be undone", async () => {
  const { root, history, reopen } = await openScratch(searchPath, { maxBytes: LIMIT });
  const file = join(root, "data");
  const contents: Buffer[] = [];
  const seqs: number[] = [];
  for (let at = 0; at < 12; at += 1) {
    const bytes = randomBytes(200_000); // nothing to compress
    contents.push(bytes);
    writeFileSync(file, bytes);
    seqs.push(await history.mark());
    expect(history.sizeBytes()).toBeLessThan(LIMIT * 1.5);
  }
  await history.planUndo([]); // waits for what is queued
  expect(history.sizeBytes()).toBeLessThanOrEqual(LIMIT);

  const again = await reopen();
  const [first = 0, second = 0] = seqs;
  expect(await again.changesBetween(first, second)).toBeNull();
  const last = await again.changesBetween(seqs.at(-2) ?? 0, seqs.at(-1) ?? 0);
  const undone = await again.undo("undo-1", await again.planUndo(last ?? []));
  expect(undone).toMatchObject({ kept: [] });
  expect(readFileSync(file).equals(contents.at(-2) ?? Buffer.alloc(0))).toBe(true);
});
