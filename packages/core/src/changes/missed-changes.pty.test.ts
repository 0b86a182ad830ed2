import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openScratch } from "../testing/changes/open-scratch.ts";
import type { History } from "./history.ts";

const searchPath = "/usr/local/bin:/usr/bin:/bin";
const WRITE_THROUGH_MAP = `import mmap,sys
f = open(sys.argv[1], "r+b")
m = mmap.mmap(f.fileno(), 0)
m[0:3] = b"ONE"
m.flush()`;
const hasPython = spawnSync("python3", ["--version"]).status === 0;

test("X9 what changes after a command's snapshot is not counted as missed by it", async () => {
  const { root, history } = await openScratch(searchPath);
  writeFileSync(join(root, "by-command"), "one\n");
  const atEnd = await history.mark();

  writeFileSync(join(root, "by-person"), "two\n");
  const missed = await history.markMissed();
  const next = await history.mark();

  expect(missed).toBeNull();
  expect(paths(await history.changesBetween(atEnd, next))).toEqual(["by-person"]);
});

test.runIf(hasPython)("X9 a write through a memory map is found, apart from what changed since", async () => {
  const { root, history } = await openScratch(searchPath);
  mkdirSync(join(root, "other"));
  writeFileSync(join(root, "mapped"), "one two\n");
  const before = await history.mark();
  await history.markMissed();

  spawnSync("python3", ["-c", WRITE_THROUGH_MAP, join(root, "mapped")]);
  const atEnd = await history.mark();
  writeFileSync(join(root, "other", "by-person"), "two\n");
  const end = (await history.markMissed()) ?? atEnd;

  expect(paths(await history.changesBetween(before, end))).toEqual(["mapped"]);
  expect(paths(await history.changesBetween(end, await history.mark()))).toEqual(["other/by-person"]);
});

function paths(changes: Awaited<ReturnType<History["changesBetween"]>>): string[] | null {
  return changes?.map(({ path }) => path) ?? null;
}
