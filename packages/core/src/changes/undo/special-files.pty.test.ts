import { spawnSync } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openScratch } from "../../testing/changes/open-scratch.ts";
import { differences, readTree } from "../../testing/changes/scratch-tree.ts";
import { displayPath } from "../entry.ts";
import type { History } from "../history.ts";
import { FolderHandle } from "../scan/folder-handle.ts";

const searchPath = "/usr/local/bin:/usr/bin:/bin";

test("X9 a named pipe that was moved, replaced or made private comes back as it was", async () => {
  const { root, history } = await openScratch(searchPath);
  mkdirSync(join(root, "run"));
  spawnSync("mkfifo", ["-m", "640", join(root, "run/moved"), join(root, "run/replaced"), join(root, "private")]);
  spawnSync("touch", ["-d", "2020-01-02", join(root, "run/moved")]);
  const before = readTree(root);
  const fromSeq = await history.mark();

  renameSync(join(root, "run"), join(root, "elsewhere"));
  mkdirSync(join(root, "run"));
  writeFileSync(join(root, "run/replaced"), "a file now\n");
  chmodSync(join(root, "private"), 0o600);
  const impossible = await undoSince(history, fromSeq);

  expect(impossible).toEqual([]);
  expect(differences(before, readTree(root))).toEqual([]);
  expect(lstatSync(join(root, "run/moved")).mtime.getFullYear()).toBe(2020);
});

test("X9 a socket gets its mode back, and one that is gone is said to be gone for good", async () => {
  const { root, history } = await openScratch(searchPath);
  for (const name of ["stays", "goes"]) {
    const server = createServer().listen(join(root, name));
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    chmodSync(join(root, name), 0o700);
  }
  const fromSeq = await history.mark();

  chmodSync(join(root, "stays"), 0o777);
  rmSync(join(root, "goes"));
  const impossible = await undoSince(history, fromSeq);

  expect(lstatSync(join(root, "stays")).mode & 0o7777).toBe(0o700);
  expect(impossible).toEqual(["goes: It was a socket, which only the program that listens on it can make."]);
});

test("X9 the mode of a link's target is never changed in place of a folder's", async () => {
  const { root } = await openScratch(searchPath);
  writeFileSync(join(root, "target"), "", { mode: 0o600 });
  symlinkSync("target", join(root, "link"));
  const folder = FolderHandle.open(Buffer.from(root), "");
  onTestFinished(() => folder.close());

  expect(() => folder.chmod("link", 0o777)).toThrow();
  expect(lstatSync(join(root, "target")).mode & 0o7777).toBe(0o600);
});

/** Undoes everything since a snapshot, and returns what cannot be undone. */
async function undoSince(history: History, fromSeq: number): Promise<string[]> {
  const changes = await history.changesBetween(fromSeq, await history.mark());
  const plan = await history.planUndo(changes ?? []);
  await history.undo("undo-1", plan);
  return plan
    .filter(({ action }) => action === "impossible")
    .map(({ path, reason }) => `${displayPath(path)}: ${reason}`);
}
