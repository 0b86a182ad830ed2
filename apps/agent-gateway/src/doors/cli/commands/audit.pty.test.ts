import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { belayJson, runBelay, signInOnCommandLine } from "../../../testing/belay-process.ts";

test("G2 G3 the record is searched, exported, pruned and verified on the command line", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "belay-audit-cli-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const run = (...args: string[]) => runBelay(dataDir, args).ended;
  const gateway = runBelay(dataDir, ["start"]);
  await gateway.ready;
  await signInOnCommandLine(dataDir);
  await run("agent", "add", "wombat");
  await run("freeze");

  const found = JSON.parse((await run("audit", "search", "wombat", "--json")).stdout);
  const byType = JSON.parse((await run("audit", "search", "--type", "agents.frozen", "--from", "1h", "--json")).stdout);
  const nothing = await run("audit", "search", "nowhere");
  const lines = (await run("audit", "export", "--type", "agent.added")).stdout.trimEnd().split("\n");
  const table = (await run("audit", "export", "--format", "csv", "wombat")).stdout;
  const pruned = JSON.parse((await run("audit", "prune", "--older-than", "1d", "--json")).stdout);
  const tail = JSON.parse((await run("audit", "tail", "-n", "2", "--json")).stdout);
  const whole = await run("audit", "verify");
  const against = await run("audit", "verify", "--against", join(dataDir, "audit-checkpoints.jsonl"), "--json");
  gateway.child.kill("SIGTERM");
  await gateway.ended;

  expect(found).toMatchObject([{ type: "agent.added", detail: { name: "wombat" } }]);
  expect(byType).toMatchObject([{ type: "agents.frozen" }]);
  expect(nothing).toEqual({ code: 0, stdout: "Nothing matches.\n", stderr: "" });
  expect(lines.map((line) => JSON.parse(line).detail.name)).toEqual(["wombat"]);
  expect(table).toMatch(/^seq,.*\r\n\d+,.*wombat/);
  expect(pruned).toEqual({ rows: 0, recordings: 0, trashed: 0 });
  expect(tail.map(({ type }: { type: string }) => type)).toEqual(["audit.exported", "audit.exported"]);
  expect(JSON.parse(against.stdout)).toMatchObject({ ok: true });
  expect(whole.stdout).toMatch(
    /^The record is intact: \d+ rows, \d+ signed checkpoints(, the last \d+ rows not signed yet)?\.\n$/,
  );
});

test("G4 audit prune deletes the recordings that are older than its option says, instead of the policy", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "belay-audit-cli-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  await runBelay(dataDir, ["start"]).ready;
  await signInOnCommandLine(dataDir);
  const recordings = join(dataDir, "recordings");
  mkdirSync(recordings, { recursive: true });
  for (const [id, ageDays] of Object.entries({ "pty-old": 6, "pty-new": 4 })) {
    for (const file of [`${id}.raw`, `${id}.index`]) {
      writeFileSync(join(recordings, file), "x");
      utimesSync(join(recordings, file), 0, Date.now() / 1_000 - ageDays * 86_400);
    }
  }

  const byPolicy = await belayJson(dataDir, "audit", "prune");
  const byOption = await belayJson(dataDir, "audit", "prune", "--recordings-older-than", "5d");

  expect([byPolicy, byOption]).toMatchObject([{ recordings: 0 }, { recordings: 1 }]);
  expect(readdirSync(recordings).filter((name) => /^pty-(old|new)\./.test(name))).toEqual([
    "pty-new.index",
    "pty-new.raw",
  ]);
});

test.each([
  [["audit", "search", "--from", "yesterday"], /Enter a time such as 2026-01-31/],
  [["audit", "search", "--agent", "robot"], /^belay: agentId: .*--help shows the filters/],
  [["audit", "search", "--type", "nonsense"], /Allowed choices are .*command\.opened/],
  [["audit", "tail", "-n", "0"], /A number from 1 to 500/],
  [["audit", "prune", "--older-than", "0d"], /Enter a number of days such as 90d/],
])("G2 %j says what is expected", async (args, told) => {
  const dataDir = mkdtempSync(join(tmpdir(), "belay-audit-cli-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));

  const ended = await runBelay(dataDir, args).ended;

  expect(ended).toMatchObject({ code: 1, stdout: "" });
  expect(ended.stderr).toMatch(told);
});
