import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandId } from "@belay/protocol";
import { expect, onTestFinished, test, vi } from "vitest";
import { findNotices } from "../../doors/http/health.ts";
import { proveSettings } from "../../testing/prove-settings.ts";
import { startTestGateway } from "../../testing/start-test-gateway.ts";

// Settings of undo and retention, each set to something other than its default. Each test claims those in its name.

proveSettings();

const DAY_MS = 24 * 3_600_000;

test("settings undo.enabled .include .exclude .maxFileBytes .maxBytes .keepDays", async () => {
  const workspace = mkdtempSync(join(tmpdir(), "belay-setting-"));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  writeFileSync(join(workspace, ".gitignore"), "*.log\n");
  const env = { BELAY_WORKSPACE: workspace };
  const run = async (undo: object, command: string) => {
    const gateway = await startTestGateway({ env, security: { undo } });
    const agent = await gateway.connectAgent();
    if (gateway.followed.whyNot(workspace) === null) {
      await gateway.histories.mark(workspace, gateway.followed.options(workspace)); // the first scan may take a while
    }
    await agent.call("terminal", { command });
    await gateway.changes.settle();
    const [latest] = await gateway.changeViews.recent(1);
    return { gateway, agent, changes: latest?.summary, changed_by: latest?.commandId };
  };

  const off = await run({ enabled: false }, "echo 1 > off.txt");
  const included = await run({ include: ["kept.log"], exclude: ["left.txt"] }, "touch kept.log other.log left.txt");
  const small = await run({ maxFileBytes: 1_024 }, "head -c 5000 /dev/zero > large && echo 1 > small");
  const full = await run({ maxBytes: 1_000_000 }, "head -c 900000 /dev/urandom > x && head -c 900000 /dev/urandom > y");
  const old = await run({ keepDays: 1 }, "echo 1 > old.txt");

  expect(off.changes).toBeUndefined();
  expect(included.changes).toBe("created 1 file");
  expect(await small.agent.call("terminal_changes", { handle_id: small.changed_by, path: "large" })).toMatchObject({
    diff: "--- large (created)\n(no text to compare)",
  });
  expect(full.changes).toBeUndefined();
  expect(findNotices(full.gateway)).toMatchObject([
    { part: "undo", problem: expect.stringMatching(/^Changes in .* cannot be undone: .* more than undo.maxBytes/) },
  ]);
  expect(await old.gateway.changeViews.of(old.changed_by as CommandId)).toMatchObject({ problem: null });
  const { now } = Date;
  vi.spyOn(Date, "now").mockImplementation(() => now() + 2 * DAY_MS);
  await old.gateway.changes.prune();
  vi.restoreAllMocks();
  expect(await old.gateway.changeViews.of(old.changed_by as CommandId)).toMatchObject({ list: null });
});

test("settings retention.recordingBytes .overflowBytes .trashBytes", async () => {
  const retention = { recordingBytes: 1_000_000, overflowBytes: 1_000_000, trashBytes: 1_000_000 };
  const gateway = await startTestGateway({ security: { retention } });
  const agent = await gateway.connectAgent();
  const { full_output_file } = await agent.call("terminal", { command: "seq 200000" });
  const recording = join(gateway.recordingsDir, "pty-gone");
  for (const end of ["raw", "index"]) writeFileSync(`${recording}.${end}`, "x".repeat(2_000_000));
  const entry = join(gateway.trashDir, "entries", `${Math.floor((Date.now() - DAY_MS) / 1000)}-1-1`);
  mkdirSync(join(entry, "files"), { recursive: true });
  writeFileSync(join(entry, "files", "old"), "x".repeat(2_000_000));
  writeFileSync(join(entry, "origin"), `belay-trash 1\n${gateway.dataDir}\n`);

  const removed = await gateway.retention.pruneBySize({ type: "system" });

  expect(removed).toEqual({ recordings: 1, trashed: 1 });
  expect(existsSync(String(full_output_file))).toBe(false);
});

test("settings retention.recordingDays .auditDays .trashDays .overflowDays", async () => {
  const retention = { recordingDays: 2, auditDays: 3, trashDays: 4, overflowDays: 5 };
  const gateway = await startTestGateway({ security: { retention } });
  const agent = await gateway.connectAgent();
  const old = (path: string, days: number) => utimesSync(path, 0, (Date.now() - days * DAY_MS) / 1000);
  const { full_output_file } = await agent.call("terminal", { command: "seq 5000" });
  const overflow = String(full_output_file);
  old(overflow, 6);
  const recording = join(gateway.recordingsDir, "pty-gone");
  for (const end of ["raw", "index"]) {
    writeFileSync(`${recording}.${end}`, "x");
    old(`${recording}.${end}`, 3);
  }
  const entry = join(gateway.trashDir, "entries", `${Math.floor((Date.now() - 5 * DAY_MS) / 1000)}-1-1`);
  mkdirSync(join(entry, "files"), { recursive: true });
  writeFileSync(join(entry, "files", "old"), "x");
  writeFileSync(join(entry, "origin"), `belay-trash 1\n${gateway.dataDir}\n`);

  const prune = vi.spyOn(gateway.retention, "prune");
  const admin = await gateway.asPerson("admin");
  const pruned = await admin.audit.prune.mutate({});

  expect(pruned).toMatchObject({ recordings: 1, trashed: 1 });
  expect([existsSync(`${recording}.raw`), existsSync(entry), existsSync(overflow)]).toEqual([false, false, false]);
  // Nothing here is as old as the record's limit; audit/retention.test.ts proves how rows are deleted.
  expect(prune.mock.calls[0]?.[0]).toMatchObject({ auditDays: 3 });
});
