import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openScratch } from "../testing/changes/open-scratch.ts";
import { scratchHistory } from "../testing/changes/scratch-tree.ts";
import { HistoryService } from "./history-service.ts";

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

test("X9 a workspace that outgrows the limit says so, and is not scanned again for every command", async () => {
  const base = mkdtempSync(join(tmpdir(), "belay-scratch-"));
  const service = new HistoryService();
  onTestFinished(async () => {
    await service.closeAll();
    rmSync(base, { recursive: true, force: true });
  });
  const { workspace, ...options } = { ...scratchHistory(base, searchPath), maxBytes: LIMIT };
  mkdirSync(workspace);
  await service.mark(workspace, options);
  for (let at = 0; at < 6; at += 1) writeFileSync(join(workspace, `data-${at}`), randomBytes(200_000));

  await expect(service.mark(workspace, options)).rejects.toThrow("holds more than undo.maxBytes (1,000,000 bytes)");
  for (let at = 0; at < 6; at += 1) rmSync(join(workspace, `data-${at}`));
  await expect(service.mark(workspace, options)).rejects.toThrow("Leave folders out with undo.exclude");
  expect(await service.mark(workspace, { ...options, maxBytes: 2 * LIMIT })).toMatchObject({ seq: 1 });
});

test("X9 files that are kept one by one can fill a history, too", async () => {
  const { root, history } = await openScratch(searchPath, { maxBytes: LIMIT });
  const fill = async () => {
    for (let at = 0; at < 12; at += 1) {
      writeFileSync(join(root, `data-${at}`), randomBytes(200_000));
      await history.mark();
    }
  };
  await expect(fill()).rejects.toThrow("holds more than undo.maxBytes");
});
