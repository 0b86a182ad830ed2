import type { AgentId, AuditEvent } from "@belay/protocol";
import { expect, test } from "vitest";
import { insertCommand } from "../store/tables/commands.ts";
import { insertMachineTerminal } from "../store/tables/machines/machine-terminals.ts";
import { onEveryDatabase } from "../testing/database/test-databases.ts";
import { Redactions } from "./redact/redactions.ts";
import { Retention } from "./retention.ts";
import type { AuditFilter } from "./search/filter.ts";
import { readCharts } from "./views/charts.ts";

const system = { type: "system" } as const;
const robot = { type: "agent", id: "agt-robot1" } as const;
const ada = { type: "person", id: "adaPerson" } as const;
const row = (line: string) => ({ type: "command.opened", actor: robot, detail: { line } }) as const;
const lines = (events: readonly AuditEvent[]) => events.map(({ detail }) => detail.line);
const command = (id: `cmd-${string}`, line = "make") => ({
  ...({ id, agentId: robot.id as AgentId, terminalId: "pty-1", line, request: "{}", openedAt: 1 } as const),
  ...{ startedAt: null, closedAt: null, outcome: null },
});

onEveryDatabase((openTestDatabase) => {
  test("G2 G7 every filter and word finds the same rows", async () => {
    const { db, open, clock } = await openTestDatabase();
    const log = await open();
    const about = { commandId: "cmd-1", terminalId: "pty-a" } as const;
    const add = async (event: Parameters<typeof log.append>[0]) => {
      await log.append(event);
      clock.now += 1_000;
    };
    await add({ type: "agent.added", actor: ada, detail: { id: robot.id, name: "robot" } });
    await add({ type: "command.opened", actor: robot, ...about, detail: { line: "git push --force" } });
    const runs = ["/usr/bin/git push --force"];
    await add({
      type: "command.judged",
      actor: robot,
      ...about,
      detail: { decision: "ask", reason: "protected", runs },
    });
    await add({ type: "policy.changed", actor: { type: "local" }, detail: { note: "Café 100% rules_x" } });
    const seqs = async (filter: AuditFilter) =>
      (await log.search(filter, { cursor: null, limit: 50 })).events.map(({ seq }) => seq);

    expect(await seqs({})).toEqual([4, 3, 2, 1]);
    expect(await seqs({ from: 2_000, to: 4_000 })).toEqual([3, 2]);
    expect(await seqs({ agentId: robot.id })).toEqual([3, 2, 1]);
    expect(await seqs({ personId: ada.id })).toEqual([1]);
    expect(await seqs({ terminalId: "pty-a", types: ["command.judged"] })).toEqual([3]);
    expect(await seqs({ commandId: "cmd-1" })).toEqual([3, 2]);
    await insertMachineTerminal(db, { terminalId: "pty-a", machine: "build-1", openedAt: 1 });
    expect(await seqs({ machine: "build-1" })).toEqual([3, 2]);
    expect(await seqs({ machine: "gateway" })).toEqual([]);
    expect(await seqs({ verdict: "ask" })).toEqual([3]);
    expect(await seqs({ verdict: "deny" })).toEqual([]);
    expect(await seqs({ program: "git" })).toEqual([3]);
    expect(await seqs({ program: "gi" })).toEqual([]);
    for (const [text, found] of [
      ["git", [3, 2]],
      ["GIT pus", [3, 2]],
      ["push git", [3, 2]],
      ["--force", [3, 2]],
      ["cafe", [4]],
      ["100%", [4]],
      ["rules_x", [4]],
      ["ush", []],
      ["*", [4, 3, 2, 1]],
      ["%", [4, 3, 2, 1]],
      ['gi" OR "x', []],
    ] as const)
      expect(await seqs({ text }), text).toEqual(found);
    const page = await log.search({ text: "git" }, { cursor: null, limit: 1 });
    expect(page).toMatchObject({ events: [{ seq: 3 }], nextCursor: 3 });
    expect(Object.keys(page.events[0] ?? {}).sort()).toEqual(
      ["seq", "at", "type", "actor", "commandId", "terminalId", "detail", "hash"].sort(),
    );
    expect((await readCharts(db, { from: 0, to: 60_000 })).verdicts.steps[0]).toMatchObject({ ask: 1, allow: 0 });
    await log.close();
  });

  test("G2 G7 a redacted row says nothing any more, is not found by its words, and the chain verifies", async () => {
    const { db, open, folder, run } = await openTestDatabase();
    const log = await open();
    const about = { actor: robot, commandId: "cmd-1" } as const;
    await log.append({ ...about, type: "command.opened", detail: { line: "deploy swordfish" } }, (tx) => [
      insertCommand(tx, { ...command("cmd-1", "deploy swordfish"), closedAt: 3, outcome: '{"x":"swordfish"}' }),
    ]);
    await log.append({ ...about, type: "command.closed", detail: { status: "ran" } });
    const redactions = new Redactions({
      ...{ db, audit: log, recordingsDir: folder },
      ...{ forgetHistory: async () => {}, onRecordingChanged: () => {} },
    });

    await redactions.redactRows({ commandId: "cmd-1" }, { reason: "A password.", by: ada });

    expect((await log.search({ text: "swordfish" }, { cursor: null, limit: 9 })).events).toEqual([]);
    expect(
      JSON.stringify([await run("SELECT * FROM audit_events"), await run("SELECT * FROM commands")]),
    ).not.toContain("swordfish");
    expect(await log.verify()).toMatchObject({ ok: true, redacted: 2 });
    expect((await log.place(1))?.redaction).toMatchObject({ type: "audit.redacted" });
    await log.close();
  });

  test("G2 G7 old rows are sealed and removed, the rest stays and verifies", async () => {
    const { db, open, folder, clock, run } = await openTestDatabase();
    const day = 24 * 3_600_000;
    const log = await open();
    for (let at = 0; at < 10; at += 1) {
      await log.append(row(`day ${at}`), (tx) => [
        insertCommand(tx, { ...command(`cmd-${at}`), closedAt: clock.now, outcome: "{}" }),
      ]);
      clock.now += day;
    }
    const retention = new Retention({
      retired: null,
      ...{ db, audit: log, recordingsDir: folder, trashDir: folder, openTerminals: async () => [] },
      days: () => ({ auditDays: null, recordingDays: null, trashDays: null }),
      bytes: () => ({ recordingBytes: null, trashBytes: null }),
      ...{ pruneOverflow: async () => {}, now: () => clock.now, onFailed: () => {} },
    });

    const { rows } = await retention.prune({ auditDays: 4, recordingDays: null, trashDays: null }, system);

    expect(rows).toBe(6);
    expect(await log.verify()).toMatchObject({ ok: true, removed: 6, rows: 5 });
    expect(await run("SELECT count(*) AS left FROM commands")).toMatchObject([{ left: expect.anything() }]);
    expect(lines(await log.list(9)).filter(Boolean)).toEqual(["day 9", "day 8", "day 7", "day 6"]);
    await expect(run("DELETE FROM audit_events WHERE seq = 8")).rejects.toThrow(/append-only|permission denied/);
    await retention.close();
    await log.close();
  });
});
