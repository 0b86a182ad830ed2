import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { belayJson, runBelay, signInOnCommandLine } from "../../../../testing/belay-process.ts";
import { TestAgent } from "../../../../testing/test-agent.ts";

test("X9 a person sees on the command line what a command changed, and undoes a part of it", async () => {
  const [dataDir, workspace] = [temporaryDir("belay-data-"), temporaryDir("belay-work-")];
  const odd = Buffer.concat([Buffer.from(`${workspace}/odd-`), Buffer.from([0xff]), Buffer.from("\n!")]);
  mkdirSync(join(workspace, "src"));
  for (const name of ["src/a.txt", "src/b.txt", "c.txt"]) writeFileSync(join(workspace, name), "one\n");
  for (const name of [odd, join(workspace, "data.bin")]) writeFileSync(name, Buffer.from([0, 1]));
  const url = await runBelay(dataDir, ["start"], ["env", `BELAY_WORKSPACE=${workspace}`]).ready;
  const { token } = (await belayJson(dataDir, "agent", "add", "tester")) as { token: string };
  const agent = await TestAgent.connect(url, token);
  onTestFinished(() => agent.close());
  const belay = async (...args: string[]) => runBelay(dataDir, args).ended;

  await agent.call("terminal", { command: "touch ready" });
  const line = `for f in src/a.txt src/b.txt c.txt data.bin odd-*; do echo two >> "$f"; done`;
  await agent.call("terminal", { command: line });
  // They are on record shortly after the reply.
  const id = await vi.waitFor(async () => {
    const recent = (await belayJson(dataDir, "changes")) as { commandId: string; line: string }[];
    const found = recent.find((command) => command.line === line);
    if (!found) throw new Error("It is not listed yet.");
    return found.commandId;
  }, 30_000);
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

function temporaryDir(prefix: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  chmodSync(folder, 0o700);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
