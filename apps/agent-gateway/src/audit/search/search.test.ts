import type { AuditEventType, TerminalId } from "@belay/protocol";
import { expect, test } from "vitest";
import { insertMachineTerminal } from "../../store/tables/machines/machine-terminals.ts";
import { openTestRecord } from "../../testing/write-record.ts";
import type { AuditLog } from "../audit-log.ts";
import { exportRecord } from "../export.ts";
import type { AuditFilter } from "./filter.ts";

const ada = { type: "person", id: "adaPerson" } as const;
const robot = { type: "agent", id: "agt-robot1" } as const;
const other = { type: "agent", id: "agt-robot2" } as const;

test("G2 every filter narrows the search, and several together more", async () => {
  const { log } = await writeHistory();

  expect(await seqs(log, {})).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
  expect(await seqs(log, { from: 2_000, to: 4_000 })).toEqual([3, 2]);
  expect(await seqs(log, { agentId: robot.id })).toEqual([6, 5, 3, 2, 1]);
  expect(await seqs(log, { personId: ada.id })).toEqual([8, 6, 5, 1]);
  expect(await seqs(log, { terminalId: "pty-a" })).toEqual([4, 3, 2]);
  expect(await seqs(log, { commandId: "cmd-1" })).toEqual([5, 3, 2]);
  expect(await seqs(log, { types: ["command.opened", "agent.added"] })).toEqual([4, 2, 1]);
  expect(await seqs(log, { verdict: "ask" })).toEqual([3]);
  expect(await seqs(log, { verdict: "deny" })).toEqual([]);
  expect(await seqs(log, { agentId: robot.id, types: ["command.judged"], to: 4_000 })).toEqual([3]);
});

test("G7 the rows of a machine are those of its terminals, and about it", async () => {
  const { open, db } = openTestRecord();
  const log = open();
  const system = { type: "system" } as const;
  const opened = (terminalId: TerminalId) =>
    log.append({ type: "command.opened", actor: robot, terminalId, detail: { line: "ls" } });
  await log.append({ type: "machine.connected", actor: system, detail: { name: "build-1" } });
  await insertMachineTerminal(db, { terminalId: "pty-there", machine: "build-1", openedAt: 1 });
  await insertMachineTerminal(db, { terminalId: "pty-other", machine: "gpu", openedAt: 1 });
  await opened("pty-there");
  await opened("pty-here");
  await opened("pty-other");
  await log.append({ type: "machine.away", actor: system, detail: { name: "gpu" } });

  expect(await seqs(log, { machine: "build-1" })).toEqual([2, 1]);
  expect(await seqs(log, { machine: "gpu", types: ["command.opened"] })).toEqual([4]);
  expect(await seqs(log, { machine: "gateway" })).toEqual([3]);
  expect(await seqs(log, { machine: "never-joined" })).toEqual([]);
  expect(await seqs(log, { machine: "build-1", text: "ls" })).toEqual([2]);
  await log.close();
});

test("W5 a program is found by the commands that run it, in any folder", async () => {
  const { open } = openTestRecord();
  const log = open();
  const judge = (...runs: string[]) =>
    log.append({ type: "command.judged", actor: robot, detail: { decision: "allow", runs } });
  await judge("git status");
  await judge("echo git");
  await judge("ls", "/usr/bin/git push");
  await judge("git");
  await judge("gitk");
  await log.append({ type: "command.opened", actor: robot, detail: { line: "git status" } });

  expect(await seqs(log, { program: "git" })).toEqual([4, 3, 1]);
  expect(await seqs(log, { program: "git", verdict: "deny" })).toEqual([]);
  await log.close();
});

test.each([
  ["git", [4, 2]],
  ["GIT pus", [2]],
  ["push git", [2]],
  ["/srv/app", [4]],
  ["--force", [2]],
  ["café", [7]],
  ["cafe", [7]],
  ["protected branch", [3]],
  ["*", [8, 7, 6, 5, 4, 3, 2, 1]],
  ['"', [8, 7, 6, 5, 4, 3, 2, 1]],
  ['gi" OR "x', []],
  ["git NOT push", []],
  ["text:git", []],
  ["nowhere", []],
  ["", [8, 7, 6, 5, 4, 3, 2, 1]],
])("G2 words are found anywhere, and none is treated as an operator: %j", async (text, found) => {
  const { log } = await writeHistory();

  expect(await seqs(log, { text })).toEqual(found);
});

test("G2 pages have no gaps, even while rows are added", async () => {
  const { log } = await writeHistory();

  const first = await log.search({}, { cursor: null, limit: 3 });
  await log.append({ type: "gateway.started", actor: { type: "system" } });
  const second = await log.search({}, { cursor: first.nextCursor, limit: 3 });
  const third = await log.search({}, { cursor: second.nextCursor, limit: 3 });

  expect([first, second, third].map(({ events }) => events.map(({ seq }) => seq))).toEqual([
    [8, 7, 6],
    [5, 4, 3],
    [2, 1],
  ]);
  expect(third.nextCursor).toBeNull();
});

test("G2 secrets never reach the record, nor its index of words", async () => {
  const { log, db } = await writeHistory();
  const token = `ghp_${"aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC2dF4gH6"}`;

  await log.append({
    type: "command.opened",
    actor: robot,
    detail: { line: `curl -H "Authorization: Bearer ${token}" x --password hunter2`, env: { API_TOKEN: "hunter3" } },
  });

  const stored = JSON.stringify(db.$client.prepare("SELECT * FROM audit_events").all());
  for (const secret of [token, "hunter2", "hunter3"]) {
    expect(stored).not.toContain(secret);
    expect(await seqs(log, { text: secret })).toEqual([]);
  }
  expect((await log.list(1))[0]?.detail).toEqual({
    line: 'curl -H "Authorization: Bearer ****" x --password ****',
    env: { API_TOKEN: "****" },
  });
});

test("G2 an export has every matching row, oldest first, in either format", async () => {
  const { log } = await writeHistory();

  const lines = (await exported(log, { types: ["command.opened"] }, "jsonl")).trimEnd().split("\n");
  const table = (await exported(log, { types: ["command.opened"] }, "csv")).trimEnd().split("\r\n");

  expect(lines.map((line) => JSON.parse(line))).toEqual(
    (await log.search({ types: ["command.opened"] }, { cursor: null, limit: 9 })).events.reverse(),
  );
  expect(table[0]).toBe("seq,time,type,actor,actorId,commandId,terminalId,detail,hash");
  expect(table[1]).toMatch(
    /^2,1970-01-01T00:00:02\.000Z,command\.opened,agent,agt-robot1,cmd-1,pty-a,"\{""line"":""git push --force""\}",[0-9a-f]{64}$/,
  );
  expect(table).toHaveLength(3);
});

test("G2 an export of many pages misses nothing", async () => {
  const { open } = openTestRecord();
  const log = open();
  for (let row = 0; row < 1_203; row += 1) await log.append({ type: "gateway.started", actor: { type: "system" } });

  const lines = (await exported(log, {}, "jsonl")).trimEnd().split("\n");

  expect(lines.map((line) => JSON.parse(line).seq)).toEqual(Array.from({ length: 1_203 }, (_, index) => index + 1));
});

test("G2 no cell of a table can be a formula", async () => {
  const { open } = openTestRecord();
  const log = open();
  for (const id of [
    '=HYPERLINK("http://x")',
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    " =1",
    "|x",
    "%x",
    'plain "quoted", text',
  ])
    await log.append({ type: "person.signed-in", actor: { type: "person", id } });

  const cells = (await exported(log, {}, "csv"))
    .split("\r\n")
    .slice(1, -1)
    .map((line) => line.split(",person,")[1]?.split(",,")[0]);

  expect(cells).toEqual([
    `"'=HYPERLINK(""http://x"")"`,
    "'+1",
    "'-1",
    "'@SUM(A1)",
    "'\t=1",
    "' =1",
    "'|x",
    "'%x",
    '"plain ""quoted"", text"',
  ]);
});

async function writeHistory() {
  const { open, db, clock } = openTestRecord();
  const log = open();
  const add = async (type: AuditEventType, event: Omit<Parameters<AuditLog["append"]>[0], "type">) => {
    await log.append({ type, ...event });
    clock.now += 1_000;
  };
  const about = { commandId: "cmd-1", terminalId: "pty-a" } as const;
  await add("agent.added", { actor: ada, detail: { id: robot.id, name: "robot" } });
  await add("command.opened", { actor: robot, ...about, detail: { line: "git push --force" } });
  await add("command.judged", { actor: robot, ...about, detail: { decision: "ask", reason: "a protected branch" } });
  await add("command.opened", {
    actor: other,
    terminalId: "pty-a",
    commandId: "cmd-2",
    detail: { line: "git -C /srv/app log" },
  });
  await add("command.answered", { actor: robot, commandId: "cmd-1", detail: { by: [ada.id], decision: "approve" } });
  await add("agents.frozen", { actor: ada, detail: { scope: robot.id } });
  await add("policy.changed", { actor: { type: "local" }, detail: { note: "Café rules" } });
  await add("person.signed-out", { actor: ada });
  return { log, db };
}

async function seqs(log: AuditLog, filter: AuditFilter): Promise<number[]> {
  return (await log.search(filter, { cursor: null, limit: 50 })).events.map(({ seq }) => seq);
}

async function exported(log: AuditLog, filter: AuditFilter, format: "jsonl" | "csv"): Promise<string> {
  let text = "";
  for await (const piece of exportRecord((page) => log.search(filter, page), format)) text += piece;
  return text;
}
