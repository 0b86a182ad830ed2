import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cleanUpAfterLostHost } from "./host/local-host.ts";
import { removeChangingTree, removeTree } from "./remove-tree.ts";
import { makeDeepTree } from "./testing/deep-tree.ts";
import { startSwapper } from "./testing/walls/swapper.ts";

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "belay-remove-"));
  onTestFinished(() => void spawnSync("rm", ["-rf", folder]));
  return folder;
}

test.each([removeTree, removeChangingTree])("G6 a very deep tree is removed (%o)", async (remove) => {
  const folder = join(scratch(), "tree");
  makeDeepTree(folder);

  await remove(folder);

  expect(existsSync(folder)).toBe(false);
});

test("G6 a host starts, whatever programs left in the folder of a terminal of the host before it", async () => {
  const dataDir = scratch();
  makeDeepTree(join(dataDir, "terminals/pty-1"));
  spawnSync("mkfifo", [join(dataDir, "terminals/pty-1/pipe")]);

  await cleanUpAfterLostHost(dataDir);

  expect(existsSync(join(dataDir, "terminals"))).toBe(false);
});

test("C4 nothing outside is removed when a folder is swapped for a link meanwhile", async () => {
  const [folder, outside] = [scratch(), scratch()];
  for (let count = 0; count < 50; count++) {
    const tree = join(folder, "tree");
    mkdirSync(join(tree, "inner"), { recursive: true });
    writeFileSync(join(outside, "kept"), "");
    writeFileSync(join(tree, "inner/kept"), "");
    symlinkSync(outside, join(tree, "other"));
    const swapper = startSwapper(join(tree, "inner"), join(tree, "other"));

    await removeChangingTree(tree).catch(() => {}); // names may move while it looks
    swapper.stop();
    rmSync(tree, { recursive: true, force: true });

    expect(readdirSync(outside)).toEqual(["kept"]);
  }
});
