import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultPolicy, judge } from "@belay/policy";
import { expect, onTestFinished, test } from "vitest";
import { MIGRATIONS_DIR } from "../../paths.ts";
import { openDatabase } from "../../store/sqlite/open-database.ts";
import { type MemoryPlace, ShellMemories } from "./shell-memories.ts";

const first: MemoryPlace = { terminalId: "pty-1", agentId: "agt-1", workspace: "/w" };
const second: MemoryPlace = { ...first, terminalId: "pty-2" };

function openDb() {
  const folder = mkdtempSync(join(tmpdir(), "belay-memories-"));
  const db = openDatabase(join(folder, "belay.db"), MIGRATIONS_DIR);
  onTestFinished(() => {
    db.$client.close();
    rmSync(folder, { recursive: true });
  });
  return db;
}

/** Judges a command and stores what it leaves behind, as if it had run. */
async function run(memories: ShellMemories, place: MemoryPlace, text: string) {
  const before = memories.of(place);
  const judged = judge(text, { memory: before, workspace: "/w", cwd: "/w" }, defaultPolicy);
  await memories.keep(place, before, judged.memoryAfter);
  return judged.matches.map(({ rule }) => rule);
}

test("S15 a file that one terminal wrote is known in another, and after a restart", async () => {
  const db = openDb();
  const memories = await ShellMemories.open(db);

  await run(memories, first, "some-program > x.sh");
  await run(memories, first, "ln -s ~/.ssh keys");

  expect(await run(memories, second, "bash x.sh")).toContain("written-code");
  const again = await ShellMemories.open(db);
  expect(await run(again, second, "bash x.sh")).toContain("written-code");
  expect(await run(again, second, "cat keys/id_rsa")).toContain("sensitive-read");
  expect(await run(again, { ...second, terminalId: null }, "bash x.sh")).toContain("written-code");
});

test("S15 files of other agents and other workspaces are kept apart", async () => {
  const memories = await ShellMemories.open(openDb());

  await run(memories, first, "some-program > x.sh");

  expect(await run(memories, { ...first, agentId: "agt-2" }, "bash x.sh")).not.toContain("written-code");
  expect(await run(memories, { ...first, workspace: "/v" }, "bash x.sh")).not.toContain("written-code");
});

test("S15 concurrent writes of two terminals are both kept", async () => {
  const db = openDb();
  const memories = await ShellMemories.open(db);
  const before = memories.of(first);
  const one = judge("some-program > one.sh", { memory: before, workspace: "/w", cwd: "/w" }, defaultPolicy);
  const two = judge("some-program > two.sh", { memory: before, workspace: "/w", cwd: "/w" }, defaultPolicy);

  await memories.keep(first, before, one.memoryAfter);
  await memories.keep(second, before, two.memoryAfter);
  await run(memories, second, "rm one.sh");

  const again = await ShellMemories.open(db);
  expect(Object.keys(again.of(first).files)).toEqual(["/w/two.sh"]);
});

test("a shell's definitions stay in its terminal", async () => {
  const memories = await ShellMemories.open(openDb());

  await run(memories, first, "alias ll='ls -l'");

  expect(memories.of(first).aliases).toEqual({ ll: "ls -l" });
  expect(memories.of(second).aliases).toEqual({});
  await memories.forget("pty-1");
  expect(memories.of(first).aliases).toEqual({});
});
