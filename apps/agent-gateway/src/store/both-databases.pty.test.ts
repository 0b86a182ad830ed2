import type { AgentId, AuditEvent } from "@belay/protocol";
import { expect, test } from "vitest";
import { pendingQuestion } from "../testing/database/pending-question.ts";
import { onEveryDatabase } from "../testing/database/test-databases.ts";
import { commit } from "./queries.ts";
import {
  findAgent,
  findAgentByTokenHash,
  insertAgent,
  listAgents,
  markAgentRevoked,
  updateAgent,
} from "./tables/agents.ts";
import {
  addVote,
  findApproval,
  findGrant,
  insertApproval,
  insertGrant,
  listVoters,
  settleApproval,
} from "./tables/approvals.ts";
import { insertClientCall, listClientConversations, listCommandsOfConversation } from "./tables/client-calls.ts";
import { closeCommand, findCommand, insertCommand, listOpenCommands, markCommandStarted } from "./tables/commands.ts";
import {
  deleteOtherConversationShells,
  listConversationShells,
  saveConversationShell,
} from "./tables/conversation-shells.ts";
import { deleteFreeze, insertFreeze, listFreezes } from "./tables/freezes.ts";
import { insertPolicyVersion, listPolicyVersions } from "./tables/policy-versions.ts";
import { deleteWebhook, insertWebhook, listWebhooks } from "./tables/webhooks.ts";
import { listWrittenFiles, saveWrittenFiles } from "./tables/written-files.ts";

const _system = { type: "system" } as const;
const robot = { type: "agent", id: "agt-robot1" } as const;
const ada = { type: "person", id: "adaPerson" } as const;
const row = (line: string) => ({ type: "command.opened", actor: robot, detail: { line } }) as const;
const lines = (events: readonly AuditEvent[]) => events.map(({ detail }) => detail.line);
const command = (id: `cmd-${string}`, line = "make") => ({
  ...({ id, agentId: robot.id as AgentId, terminalId: "pty-1", line, request: "{}", openedAt: 1 } as const),
  ...{ startedAt: null, closedAt: null, outcome: null },
});

onEveryDatabase((openTestDatabase) => {
  test("G2 G7 rows of many callers form one chain, which verifies, also after it is opened again", async () => {
    const { open } = await openTestDatabase();
    const log = await open();

    await Promise.all(Array.from({ length: 250 }, (_, at) => log.append(row(`line ${at}`))));
    await log.close();

    const again = await open();
    expect(await again.verify()).toMatchObject({ ok: true, rows: 250, unsigned: 0 });
    expect(lines((await again.search({}, { cursor: null, limit: 500, order: "oldest" })).events)).toEqual(
      Array.from({ length: 250 }, (_, at) => `line ${at}`),
    );
    await again.append(row("next"));
    expect(await again.verify()).toMatchObject({ ok: true, rows: 251 });
    expect(await again.count()).toBe(251);
    expect(await again.check()).toBeNull();
    await again.close();
  });

  test("G2 G7 a change and its row are written together, and a refused one rolls back only its own rows", async () => {
    const { db, open } = await openTestDatabase();
    const log = await open();
    await log.append(row("opened"), (tx) => [insertCommand(tx, command("cmd-1")), markCommandStarted(tx, "cmd-1", 7)]);
    const close = (outcome: string) =>
      log.appendAll([row(outcome)], (tx) => [closeCommand(tx, "cmd-1", { closedAt: 9, outcome, line: "make" })]);

    const results = await Promise.allSettled([close("first"), log.append(row("between")), close("second")]);

    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
    expect(results[2]).toMatchObject({ reason: { code: "already-settled" } });
    expect(await findCommand(db, "cmd-1")).toMatchObject({
      startedAt: 7,
      closedAt: 9,
      outcome: "first",
      request: null,
    });
    expect(lines(await log.list(9)).reverse()).toEqual(["opened", "first", "between"]);
    expect(await log.verify()).toMatchObject({ ok: true, rows: 3 });
    expect(await listOpenCommands(db)).toEqual([]);
    await log.close();
  });

  test("G2 G7 an entry that the database cannot store fails alone, and zero bytes in a row are kept", async () => {
    const { db, open } = await openTestDatabase();
    const log = await open();
    const zero = { ...row("zero"), detail: { line: "a\0b", decision: "al\0low", runs: ["x\0"] } };

    const results = await Promise.allSettled([
      log.append(row("before")),
      log.appendAll([row("with a zero byte")], (tx) => [insertCommand(tx, command("cmd-1", "a\0b"))]),
      log.append(zero),
      log.append(row("after")),
    ]);

    // SQLite stores zero bytes in a text, PostgreSQL does not.
    const isKept = db.dialect === "sqlite";
    expect(results.map(({ status }) => status === "fulfilled")).toEqual([true, isKept, true, true]);
    expect(await log.verify()).toMatchObject({ ok: true, rows: isKept ? 4 : 3 });
    expect(lines(await log.list(9))).toContain("a\0b");
    expect(await log.check()).toBeNull();
    await log.close();
  });

  test("G2 G7 no one can change the record, and a change behind its back is noticed", async () => {
    const { open, run, tamper } = await openTestDatabase();
    const log = await open();
    for (const line of ["a", "b", "c"]) await log.append(row(line));
    await log.close();

    for (const sql of [
      "UPDATE audit_events SET at = 5 WHERE seq = 2",
      "UPDATE audit_events SET detail = '{\"redacted\":true}' WHERE seq = 2",
      "DELETE FROM audit_events WHERE seq = 2",
    ])
      await expect(run(sql), sql).rejects.toThrow(/append-only|permission denied/);

    expect(await (await open()).verify()).toMatchObject({ ok: true });
    await tamper('UPDATE audit_events SET actor = \'{"type":"local"}\' WHERE seq = 2');
    expect(await (await open()).verify()).toMatchObject({ ok: false, seq: 2 });
    await tamper("DELETE FROM audit_events WHERE seq = 3");
    const cut = await open();
    expect(cut.loss).toContain("row 3 was signed");
    await expect(cut.append(row("d"))).rejects.toMatchObject({ code: "record-not-whole" });
  });

  test("C5 G7 two people answer at once: one answer counts", async () => {
    const { db, open } = await openTestDatabase();
    const log = await open();
    const asked = pendingQuestion({ id: "apr-1", commandId: "cmd-1", agentId: robot.id, text: "deploy" });
    await log.append(row("asked"), (tx) => [insertApproval(tx, asked)]);
    const answer = (by: string) =>
      settleApproval(db, asked, { status: "denied", by, at: 2, message: "" } as never).then(
        () => true,
        () => false,
      );

    const won = await Promise.all(["ada", "bob", "cyd", "dan"].map(answer));

    expect(won.filter(Boolean)).toHaveLength(1);
    expect((await findApproval(db, "apr-1"))?.state).toMatchObject({ status: "denied" });
    const vote = { approvalId: "apr-1", personId: "ada", at: 1 } as const;
    await commit(addVote(db, vote));
    await expect(commit(addVote(db, vote))).rejects.toMatchObject({ code: "already-voted" });
    expect(await listVoters(db, "apr-1")).toEqual(["ada"]);
    await insertGrant(db, { approvalId: "apr-1", subject: asked.subject, expiresAt: 100 });
    expect(await findGrant(db, asked.subject, 99)).toBe("apr-1");
    expect(await findGrant(db, asked.subject, 100)).toBeNull();
    await log.close();
  });

  test("G7 agents, freezes, policy versions and the rest are the same on every database", async () => {
    const { db, open } = await openTestDatabase();
    const log = await open();
    const agent = {
      ...({ id: robot.id, name: "robot", profile: "standard", createdAt: 1_794_000_000_000, revokedAt: null } as const),
      ...{
        expiresAt: null,
        isolation: null,
        maxTerminals: 3,
        toolSettings: "{}",
        workspace: null,
        ownerId: null,
        machines: "gateway",
      },
    };
    await insertAgent(db, { ...agent, tokenHash: "hash" });
    await updateAgent(db, { ...agent, profile: "trusted" });
    await markAgentRevoked(db, agent.id, 5);
    expect(await findAgentByTokenHash(db, "hash")).toEqual({ ...agent, profile: "trusted", revokedAt: 5 });
    expect(await findAgent(db, "agt-none")).toBeUndefined();
    expect(await listAgents(db)).toHaveLength(1);
    await expect(insertAgent(db, { ...agent, id: "agt-2", tokenHash: "other" })).rejects.toThrow();

    expect(await insertFreeze(db, { scope: "*", at: 1, by: "{}" })).toBe(true);
    expect(await insertFreeze(db, { scope: "*", at: 2, by: "{}" })).toBe(false);
    expect(await listFreezes(db)).toEqual([{ scope: "*", at: 1, by: "{}" }]);
    expect(await deleteFreeze(db, "*")).toBe(true);
    expect(await deleteFreeze(db, "*")).toBe(false);

    for (const [seq, version] of [
      [1, "one"],
      [2, "two"],
    ] as const)
      await log.append(row(version), (tx) => [
        insertPolicyVersion(tx, { seq, version, text: null, at: 1, author: ada, note: "" }),
      ]);
    expect((await listPolicyVersions(db, 9)).map(({ seq, version }) => [seq, version])).toEqual([
      [2, "two"],
      [1, "one"],
    ]);

    const shell = { terminalId: "pty-1", agentId: robot.id, conversationId: "", usedAt: 1 } as const;
    await saveConversationShell(db, shell);
    await saveConversationShell(db, { ...shell, usedAt: 2 });
    expect(await listConversationShells(db, robot.id)).toEqual([{ ...shell, usedAt: 2 }]);
    await deleteOtherConversationShells(db, []);
    expect(await listConversationShells(db, robot.id)).toEqual([]);

    const hook = { id: "hook-1", name: "", url: "https://x", secret: "s", tellsCommand: true, createdAt: 1 };
    await insertWebhook(db, hook);
    expect(await listWebhooks(db)).toEqual([hook]);
    expect(await deleteWebhook(db, "hook-1")).toEqual(hook);
    await log.close();
  });

  test("G7 files keep the order in which they were written, and long paths are stored", async () => {
    const { db } = await openTestDatabase();
    const file = (path: string) => ({ agentId: robot.id, workspace: "/w", kind: "file", path }) as const;
    const long = `/${"x/".repeat(3_000)}`;

    await saveWrittenFiles(db, [
      { ...file("a"), known: "1" },
      { ...file(long), known: "2" },
      { ...file("c"), known: "3" },
    ]);
    await saveWrittenFiles(db, [
      { ...file("a"), known: "4" },
      { ...file("c"), known: null },
    ]);

    expect((await listWrittenFiles(db)).map(({ path, known }) => [path, known])).toEqual([
      [long, "2"],
      ["a", "4"],
    ]);
  });

  test("D9 G7 a client's conversations are counted, with the folder of the newest command", async () => {
    const { db, open } = await openTestDatabase();
    const log = await open();
    for (const [at, cwd] of ["/z", "/a"].entries()) {
      const call = { agentId: robot.id, client: "claude", session: "s", callId: null, line: "make", cwd } as const;
      await log.append(row("x"), (tx) => [
        insertCommand(tx, { ...command(`cmd-${at}`), openedAt: at }),
        insertClientCall(tx, { ...call, commandId: `cmd-${at}`, openedAt: at }),
      ]);
    }
    const key = { agentId: robot.id, client: "claude", session: "s" } as const;

    expect(await listClientConversations(db, 9)).toEqual([{ ...key, cwd: "/a", calls: 2, firstAt: 0, lastAt: 1 }]);
    expect((await listCommandsOfConversation(db, key, 9)).map(({ id }) => id)).toEqual(["cmd-1", "cmd-0"]);
    await log.close();
  });
});
