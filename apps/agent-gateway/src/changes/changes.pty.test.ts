import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandId } from "@belay/protocol";
import { expect, onTestFinished, test } from "vitest";
import { nextApproval } from "../testing/next-approval.ts";
import { startTestGateway, type TestGateway } from "../testing/start-test-gateway.ts";
import type { TestAgent } from "../testing/test-agent.ts";

async function startInWorkspace(security: object = {}) {
  const workspace = await mkdtemp(join(tmpdir(), "belay-workspace-"));
  onTestFinished(() => rm(workspace, { recursive: true, force: true }));
  await writeFile(join(workspace, "a.txt"), "one\ntwo\nthree\n");
  await writeFile(join(workspace, "b.txt"), "bee\n");
  const gateway = await startTestGateway({ env: { BELAY_WORKSPACE: workspace }, security });
  // The first scan happens when the gateway starts; on a busy machine it may take a while.
  await gateway.histories.mark(await realpath(workspace), gateway.followed.options(await realpath(workspace)));
  return { gateway, workspace, file: (name: string) => readFile(join(workspace, name), "utf8") };
}

/** Runs a command and waits until its changes are known. */
async function run(gateway: TestGateway, agent: TestAgent, call: Record<string, unknown>) {
  const reply = await agent.call("terminal", call);
  await gateway.changes.settle();
  const [latest] = await gateway.changeViews.recent(1);
  return { ...reply, changes: latest?.summary, changed_by: latest?.commandId as CommandId };
}

test("X9 a reply says what the command changed, and read-only commands are not tracked", async () => {
  const { gateway, file } = await startInWorkspace();
  const agent = await gateway.connectAgent();

  const looked = await agent.call("terminal", { command: "cat a.txt" });
  const wrote = await agent.call("terminal", { command: "sed -i s/two/2/ a.txt && echo new > c.txt" });
  const again = await agent.call("terminal_changes", { handle_id: wrote.changed_by });

  expect(looked.changed_by).toBeUndefined();
  expect(again).toMatchObject({
    summary: "changed 1 file, +2 −1, created 1",
    files: [
      { path: "a.txt", change: "changed", added: 1, removed: 1 },
      { path: "c.txt", change: "created", added: 1, removed: 0 },
    ],
  });
  expect(await file("a.txt")).toBe("one\n2\nthree\n");
});

test("X9 an agent sees and undoes its own command, and can undo the undo", async () => {
  const { gateway, file } = await startInWorkspace();
  const agent = await gateway.connectAgent();
  const { changed_by } = await run(gateway, agent, { command: "sed -i s/two/2/ a.txt" });

  const shown = await agent.call("terminal_changes", { handle_id: changed_by, diff: true });
  const undone = await agent.call("terminal_undo", { handle_id: changed_by });

  expect(shown.diff).toContain("-two\n+2");
  expect(undone.message).toContain(`Undid what ${changed_by} changed`);
  expect(await file("a.txt")).toBe("one\ntwo\nthree\n");

  await agent.call("terminal_undo", { handle_id: undone.handle_id });
  expect(await file("a.txt")).toBe("one\n2\nthree\n");
});

test("X9 a person sees later changes, and none are overwritten silently", async () => {
  const { gateway, workspace, file } = await startInWorkspace();
  const agent = await gateway.connectAgent();
  const operator = await gateway.asPerson("operator");
  const command = "sed -i s/two/2/ a.txt; echo wasp > b.txt; echo c > c.txt";
  const { changed_by } = await run(gateway, agent, { command });
  const commandId = changed_by;
  // Later edits: elsewhere in one file, and in the changed line of the other.
  await writeFile(join(workspace, "a.txt"), "one\n2\nthree\nfour\n");
  await writeFile(join(workspace, "b.txt"), "hornet\n");

  const plan = await operator.changes.plan.query({ commandId });
  const refused = await operator.changes.undo.mutate({ commandId, fingerprint: plan.fingerprint });

  expect(plan.steps.map(({ path, action }) => [path, action])).toEqual([
    ["a.txt", "merge"],
    ["b.txt", "conflict"],
    ["c.txt", "restore"],
  ]);
  expect(refused.result.status).toBe("conflicts");
  expect(await file("c.txt")).toBe("c\n");

  const done = await operator.changes.undo.mutate({ commandId, fingerprint: plan.fingerprint, skipsConflicts: true });

  expect(done.result).toMatchObject({ status: "undone", skipped: ["b.txt"] });
  expect(await file("a.txt")).toBe("one\ntwo\nthree\nfour\n");
  expect(await file("b.txt")).toBe("hornet\n");
  await expect(file("c.txt")).rejects.toThrow("ENOENT");
  const { id } = (await operator.gateway.me.query()) ?? {};
  const asked = (await gateway.audit.list(10)).filter(({ type }) => type.startsWith("changes."));
  expect(asked.map(({ type, actor, commandId: of }) => [type, actor, of])).toEqual([
    ["changes.undone", { type: "person", id }, done.commandId],
    ["changes.undo-asked", { type: "person", id }, done.commandId],
    ["changes.undo-asked", { type: "person", id }, refused.commandId],
  ]);

  const overwritten = await operator.changes.undo.mutate({ commandId, overwrite: ["b.txt"] });
  expect(overwritten.result.status).toBe("undone");
  expect(await file("b.txt")).toBe("bee\n");
});

test("X9 an undo with an outdated plan does nothing", async () => {
  const { gateway, workspace, file } = await startInWorkspace();
  const agent = await gateway.connectAgent();
  const operator = await gateway.asPerson("operator");
  const { changed_by } = await run(gateway, agent, { command: "sed -i s/two/2/ a.txt" });
  const commandId = changed_by;
  const { fingerprint } = await operator.changes.plan.query({ commandId });
  await writeFile(join(workspace, "a.txt"), "other\n");

  const { result } = await operator.changes.undo.mutate({ commandId, fingerprint });

  expect(result.status).toBe("changed");
  expect(await file("a.txt")).toBe("other\n");
});

test("X9 everything since a moment is undone, including what others changed", async () => {
  const { gateway, workspace, file } = await startInWorkspace();
  const agent = await gateway.connectAgent();
  const operator = await gateway.asPerson("operator");
  await agent.call("terminal", { command: "echo first >> a.txt" });
  const sinceMs = Date.now();
  await agent.call("terminal", { command: "echo second >> a.txt" });
  await writeFile(join(workspace, "b.txt"), "by hand\n");
  await agent.call("terminal", { command: "rm -rf node_modules; mkdir made && echo x > made/y" });

  const { result } = await operator.changes.undo.mutate({ sinceMs });

  expect(result.status).toBe("undone");
  expect(await file("a.txt")).toBe("one\ntwo\nthree\nfirst\n");
  expect(await file("b.txt")).toBe("bee\n");
  await expect(file("made/y")).rejects.toThrow("ENOENT");
});

test("X9 an agent undoes only its own commands, and only files that the policy lets it write", async () => {
  const { gateway, file } = await startInWorkspace({ profiles: { keen: { unknown: "allow", dangerous: "allow" } } });
  const agent = await gateway.connectAgent({ name: "one", profile: "keen" });
  const other = await gateway.connectAgent({ name: "two" });
  const operator = await gateway.asPerson("operator");
  const { changed_by } = await run(gateway, agent, { command: "echo 1 > c.txt" });
  const { changed_by: byScript } = await run(gateway, agent, {
    command: 'python3 -c \'open("Makefile","w").write("x")\'',
  });

  const foreign = await other.call("terminal_undo", { handle_id: changed_by });
  const waiting = agent.call("terminal_undo", { handle_id: byScript });
  const approval = await nextApproval(gateway);
  await operator.approvals.decide.mutate({ id: approval.id, decision: "deny", message: "keep it" });

  expect(foreign.isError).toBe(true);
  expect(approval.subject.text).toContain("Makefile");
  expect(await waiting).toMatchObject({ isError: true, message: expect.stringContaining("keep it") });
  expect(await file("c.txt")).toBe("1\n");
  expect(await file("Makefile")).toBe("x");
});

test("X9 commands that overlap say so", async () => {
  const { gateway } = await startInWorkspace();
  const agent = await gateway.connectAgent();
  const started = await agent.call("terminal", { command: "echo a > s1; read line; echo b > s2", background: true });
  const { changed_by: mine } = await run(gateway, agent, { command: "echo mine > mine.txt", new: true });
  await run(gateway, agent, { handle_id: started.handle_id, input: "go\n" });
  const whole = await gateway.changeViews.of(started.handle_id as CommandId);
  const part = await gateway.changeViews.of(mine);

  expect(part).toMatchObject({ summary: "created 1 file, +1", sharedWith: [{ commandId: started.handle_id }] });
  expect(whole).toMatchObject({ summary: "created 3 files, +3", sharedWith: [{ commandId: mine }] });
});

test("X9 G2 a history that is forgotten keeps nothing of what files were, and goes on from there", async () => {
  const { gateway, workspace } = await startInWorkspace();
  const agent = await gateway.connectAgent();
  const leaked = await run(gateway, agent, { command: "echo hunter2-leaked > secret.txt" });
  await run(gateway, agent, { command: "echo harmless > secret.txt" });
  const diff = () => gateway.changeViews.diff(leaked.changed_by, "secret.txt");
  expect(JSON.stringify(await diff())).toContain("hunter2-leaked");

  await gateway.changes.forgetHistory(await realpath(workspace));

  expect(JSON.stringify(await diff().catch((error: Error) => error.message))).not.toContain("hunter2-leaked");
  const next = await run(gateway, agent, { command: "echo more >> secret.txt" });
  expect(next.changes).toBe("changed 1 file, +1");
});
