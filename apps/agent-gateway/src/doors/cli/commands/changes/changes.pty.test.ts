import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { belayJson, runBelay, signInOnCommandLine } from "../../../../testing/belay-process.ts";
import { TestAgent } from "../../../../testing/test-agent.ts";

test("X9 a person sees on the command line what a command changed, and undoes a part of it", async () => {
  const { dataDir, workspace, belay, run } = await startInWorkspace({
    ...{ "src/a.txt": "one\n", "src/b.txt": "one\n", "c.txt": "one\n" },
    "data.bin": Buffer.from([0, 1]),
  });
  const odd = Buffer.concat([Buffer.from(`${workspace}/odd-`), Buffer.from([0xff]), Buffer.from("\n!")]);
  writeFileSync(odd, Buffer.from([0, 1]));
  const id = await run(`for f in src/a.txt src/b.txt c.txt data.bin odd-*; do echo two >> "$f"; done`);
  await signInOnCommandLine(dataDir);

  const { stdout: shown } = await belay("changes", id, "--diff");
  expect(shown).toContain("--- odd-\\xff⏎!\n(no text to compare: 2 bytes → 6 bytes)\n");
  expect(shown).toContain("--- c.txt\n@@ -1 +1 @@\n one\n+two\n");

  expect(await belay("undo")).toMatchObject({ code: 1, stderr: expect.stringContaining("Give either a command") });
  const wrong = await belay("undo", id, "--path", "nowhere");
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining("Nothing was changed at nowhere.") });

  expect(await belay("undo", id, "--path", "src/", "odd-\\xff\n!")).toMatchObject({ code: 0 });
  const contents = ["src/a.txt", "src/b.txt", "c.txt"].map((name) => readFileSync(join(workspace, name), "utf8"));
  expect(contents).toEqual(["one\n", "one\n", "one\ntwo\n"]);
  expect(readFileSync(odd)).toEqual(Buffer.from([0, 1]));
});

test("X9 undo leaves files that changed since, or overwrites them, only as its options say", async () => {
  const { dataDir, workspace, belay, run } = await startInWorkspace({ "changed.txt": "one\n", "same.txt": "one\n" });
  const read = () => ["changed.txt", "same.txt"].map((name) => readFileSync(join(workspace, name), "utf8"));
  const id = await run("for f in changed.txt same.txt; do echo two > $f; done");
  writeFileSync(join(workspace, "changed.txt"), "three\n");
  await signInOnCommandLine(dataDir);

  const refused = await belay("undo", id);
  const afterRefusal = read();
  const kept = await belay("undo", id, "--keep-changed");
  const afterKeeping = read();
  const tried = await belay("undo", id, "--overwrite-changed", "--dry-run");
  const afterTrying = read();
  const overwritten = await belay("undo", id, "--overwrite-changed");

  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("--keep-changed leaves those") });
  expect(afterRefusal).toEqual(["three\n", "two\n"]);
  expect(kept).toMatchObject({ code: 0, stdout: expect.stringContaining("Left unchanged: changed.txt") });
  expect(afterKeeping).toEqual(["three\n", "one\n"]);
  expect(tried).toMatchObject({ code: 0, stderr: "" });
  expect(afterTrying).toEqual(afterKeeping);
  expect(overwritten).toMatchObject({ code: 0, stdout: expect.stringContaining("Undid changes") });
  expect(read()).toEqual(["one\n", "one\n"]);
});

test("X9 undo --to undoes everything since that time", async () => {
  const { dataDir, workspace, belay, run } = await startInWorkspace({ "a.txt": "one\n" });
  await run("echo two > a.txt");
  const time = new Date().toISOString();
  await run("echo three > a.txt");
  await run("echo four > a.txt");
  await signInOnCommandLine(dataDir);

  const undone = await belay("undo", "--to", time);

  expect(undone).toMatchObject({ code: 0, stdout: expect.stringContaining("Undid changes") });
  expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("two\n");
});

/** A gateway with an agent, whose `run` gives the id of a command once its changes are on record. */
async function startInWorkspace(files: Record<string, string | Buffer>) {
  const [dataDir, workspace] = [temporaryDir("belay-data-"), temporaryDir("belay-work-")];
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, name)), { recursive: true });
    writeFileSync(join(workspace, name), content);
  }
  const url = await runBelay(dataDir, ["start"], ["env", `BELAY_WORKSPACE=${workspace}`]).ready;
  const { token } = (await belayJson(dataDir, "agent", "add", "tester")) as { token: string };
  const agent = await TestAgent.connect(url, token);
  onTestFinished(() => agent.close());
  await agent.call("terminal", { command: "touch ready" });
  const run = async (command: string) => {
    await agent.call("terminal", { command });
    // They are on record shortly after the reply.
    return vi.waitFor(async () => {
      const recent = (await belayJson(dataDir, "changes")) as { commandId: string; line: string }[];
      const found = recent.find(({ line }) => line === command);
      if (!found) throw new Error("It is not listed yet.");
      return found.commandId;
    }, 30_000);
  };
  return { dataDir, workspace, run, belay: (...args: string[]) => runBelay(dataDir, args).ended };
}

function temporaryDir(prefix: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  chmodSync(folder, 0o700);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
