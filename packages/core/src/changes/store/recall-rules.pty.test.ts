import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openScratch, type Scratch } from "../../testing/changes/open-scratch.ts";
import type { History } from "../history.ts";

const searchPath = "/usr/local/bin:/usr/bin:/bin";

test("X9 a command that changed the ignore rules when Belay was killed is undone, without what was ignored", async () => {
  const scratch = await openWithIgnored();
  const { root } = scratch;
  writeFileSync(join(root, ".gitignore"), "*.tmp\n");
  writeFileSync(join(root, "src/.gitignore"), "!*.out\n");
  writeFileSync(join(root, "made.txt"), "by the command\n");
  writeFileSync(join(root, "src/more.txt"), "by the command\n");

  expect(await changedBeforeRestart(scratch)).toEqual([".gitignore", "made.txt", "src/.gitignore", "src/more.txt"]);
});

test("X9 a first git repository that the killed command made does not hide which files are new", async () => {
  const scratch = await openWithIgnored();
  mkdirSync(join(scratch.root, ".git/info"), { recursive: true });
  writeFileSync(join(scratch.root, ".git/info/exclude"), "*.orig\n");
  writeFileSync(join(scratch.root, "made.txt"), "by the command\n");

  expect(await changedBeforeRestart(scratch)).toEqual(["made.txt"]);
});

test("X9 where git's own excludes changed while Belay was down, no file that appeared is taken for new", async () => {
  const scratch = await openWithIgnored({ gitExcludes: "*.private\n" });
  writeFileSync(join(scratch.root, "mine.private"), "kept out\n");
  writeFileSync(join(scratch.root, "src/code.txt"), "changed\n");
  writeFileSync(join(scratch.root, ".git/info/exclude"), "");

  expect(await changedBeforeRestart(scratch)).toEqual(["src/code.txt"]);
});

/** A workspace in which two files are ignored, with a snapshot of the rest. */
async function openWithIgnored({ gitExcludes }: { gitExcludes?: string } = {}): Promise<Scratch & { seq: number }> {
  const scratch = await openScratch(searchPath);
  const { root, history } = scratch;
  mkdirSync(join(root, "src"));
  if (gitExcludes !== undefined) {
    mkdirSync(join(root, ".git/info"), { recursive: true });
    writeFileSync(join(root, ".git/info/exclude"), gitExcludes);
  }
  writeFileSync(join(root, ".gitignore"), "*.log\n*.out\n");
  writeFileSync(join(root, "old.log"), "ignored\n");
  writeFileSync(join(root, "src/old.out"), "ignored\n");
  writeFileSync(join(root, "src/code.txt"), "one\n");
  const seq = await history.mark();
  await history.settled();
  return { ...scratch, seq };
}

async function changedBeforeRestart({ seq, reopen }: Scratch & { seq: number }): Promise<string[] | undefined> {
  const history: History = await reopen();
  return (await history.changesBetween(seq, history.lastSeq))?.map(({ path }) => path);
}
