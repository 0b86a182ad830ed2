import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { wallsDirOf } from "@belay/core";
import { describe, expect, test } from "vitest";
import { nextApproval } from "../testing/next-approval.ts";
import { hasSandbox, startSandboxedGateway } from "../testing/sandboxed-gateway.ts";

/** Fails, because there is no such cluster; a question would come before that. */
const CLOUD = "kubectl --request-timeout=1s delete namespace some-space";

describe.runIf(hasSandbox)("what a wall makes harmless", () => {
  test("X12 a file that an agent removes goes to the trash, so no person is asked", async () => {
    const gateway = await startSandboxedGateway();
    const file = join(gateway.workspace, "notes.txt");
    writeFileSync(file, "work");
    const agent = await gateway.connectAgent();
    const operator = await gateway.asPerson("operator");

    const removed = await agent.call("terminal", { command: "rm notes.txt" });
    const isGone = !existsSync(file);
    const [entry] = await operator.trash.list.query();
    await operator.trash.restore.mutate({ id: entry?.id ?? "" });

    expect(removed).toMatchObject({ state: "completed", exit_code: 0 });
    expect(isGone).toBe(true);
    expect(readFileSync(file, "utf8")).toBe("work");
  });

  test("X12 X9 git may discard changes while an undo brings them back", async () => {
    const gateway = await startSandboxedGateway();
    const { workspace } = gateway;
    const file = join(workspace, "notes.txt");
    writeFileSync(file, "committed\n");
    const agent = await gateway.connectAgent();
    const author = "git config user.name some-one && git config user.email some-one@example.org";
    await agent.call("terminal", { command: `git init -q && ${author} && git add . && git commit -qm first` });
    writeFileSync(file, "changed\n");
    await gateway.histories.mark(workspace, gateway.followed.options(workspace));

    const reset = await agent.call("terminal", { command: "git reset --hard" });
    const afterReset = readFileSync(file, "utf8");
    await gateway.changes.settle();
    const [latest] = await gateway.changeViews.recent(1);
    await agent.call("terminal_undo", { handle_id: latest?.commandId });

    expect(reset).toMatchObject({ state: "completed", exit_code: 0 });
    expect(afterReset).toBe("committed\n");
    expect(readFileSync(file, "utf8")).toBe("changed\n");
  });

  test("X12 a key that a person put into the agent's home is asked about", async () => {
    const gateway = await startSandboxedGateway();
    const agent = await gateway.connectAgent();
    const operator = await gateway.asPerson("operator");
    const command = "cat ~/.ssh/id_ed25519";

    const before = await agent.call("terminal", { command });
    const [{ agentId } = { agentId: null }] = await gateway.terminals.list();
    const keys = join(wallsDirOf(gateway.settings.dataDir), "homes", `${agentId}`, ".ssh");
    mkdirSync(keys, { recursive: true });
    writeFileSync(join(keys, "id_ed25519"), "not a key");
    const after = agent.call("terminal", { command });
    const question = await nextApproval(gateway);
    await operator.approvals.decide.mutate({ id: question.id, decision: "deny" });

    expect(before).toMatchObject({ state: "completed", exit_code: 1 });
    expect(question.subject.text).toBe(command);
    expect((await after).output ?? "").not.toContain("not a key");
  });

  test("X12 a cloud is asked about when it connects, and again as a command once a host was allowed", async () => {
    const gateway = await startSandboxedGateway();
    const agent = await gateway.connectAgent();
    const operator = await gateway.asPerson("operator");

    const first = await agent.call("terminal", { command: CLOUD });
    const [{ agentId } = { agentId: null }] = await gateway.terminals.list();
    mkdirSync(join(wallsDirOf(gateway.settings.dataDir), "homes", `${agentId}`, ".kube"));
    const signedIn = await agent.call("terminal", { command: CLOUD });
    writeFileSync(
      join(gateway.workspace, "reach.py"),
      'import urllib.request\ntry: urllib.request.urlopen("http://192.0.2.7/", timeout=1)\nexcept Exception: pass\n',
    );
    const reaching = agent.call("terminal", { command: "python3 reach.py" });
    const connection = await nextApproval(gateway);
    await operator.approvals.decide.mutate({ id: connection.id, decision: "approve", scope: { type: "terminal" } });
    await reaching;
    const again = agent.call("terminal", { command: CLOUD });
    const question = await nextApproval(gateway);
    await operator.approvals.decide.mutate({ id: question.id, decision: "deny" });

    expect([first.state, signedIn.state]).toEqual(["completed", "completed"]);
    expect(connection.subject.text).toBe("connect-to 192.0.2.7:80");
    expect(question.subject.text).toBe(CLOUD);
    expect(await again).toMatchObject({ isError: true });
  });

  test("X12 no secret of Belay's environment is behind the wall, so its variables may be printed", async () => {
    const secret = "not-a-real-token-4711";
    const gateway = await startSandboxedGateway({}, { env: { SOME_TOKEN: secret } });
    const agent = await gateway.connectAgent();
    const open = await startSandboxedGateway({ sandbox: { env: ["SOME_TOKEN"] } }, { env: { SOME_TOKEN: secret } });
    const other = await open.connectAgent();
    const operator = await open.asPerson("operator");

    const replies = [];
    for (const command of ["env", "export -p", "cat /proc/1/environ /proc/self/environ", 'echo "<$SOME_TOKEN>"'])
      replies.push(await agent.call("terminal", { command }));

    const asked = nextApproval(open);
    const letIn = other.call("terminal", { command: "env" });
    const question = await asked;
    await operator.approvals.decide.mutate({ id: question.id, decision: "deny" });
    await letIn;

    expect(question.subject.text).toBe("env");
    for (const reply of replies) {
      expect(reply).toMatchObject({ state: "completed", exit_code: 0 });
      expect(JSON.stringify(reply)).not.toContain(secret);
    }
    expect(replies.at(-1)?.output).toContain("<>");
  });

  test("X12 an account is asked about once a person signed in, or typed in the terminal", async () => {
    const gateway = await startSandboxedGateway();
    const agent = await gateway.connectAgent();
    const operator = await gateway.asPerson("operator");
    const command = "gh pr merge 12";
    const isAsked = async () => {
      const running = agent.call("terminal", { command });
      const question = await nextApproval(gateway);
      await operator.approvals.decide.mutate({ id: question.id, decision: "deny" });
      await running;
      return question.subject.text;
    };

    const alone = await agent.call("terminal", { command });
    const [terminal] = await gateway.terminals.list();
    const settings = join(wallsDirOf(gateway.settings.dataDir), "homes", `${terminal?.agentId}`, ".config/gh");
    mkdirSync(settings, { recursive: true });
    const whenSignedIn = await isAsked();
    rmSync(settings, { recursive: true });
    const after = await agent.call("terminal", { command });
    await operator.terminals.borrow.mutate({ id: terminal?.id ?? "pty-0" });
    await operator.terminals.handBack.mutate({ id: terminal?.id ?? "pty-0" });
    const whenLent = await isAsked();

    expect(alone.state).toBe("completed");
    expect(whenSignedIn).toBe(command);
    expect(after.state).toBe("completed");
    expect(whenLent).toBe(command);
  });

  test("X12 W3 the first command of a new shell is asked about once, even if the shell prints something first", async () => {
    const gateway = await startSandboxedGateway();
    const agent = await gateway.connectAgent();
    const operator = await gateway.asPerson("operator");
    const [{ id } = { id: "" }] = await gateway.agents.list();
    const home = join(wallsDirOf(gateway.settings.dataDir), "homes", id);
    mkdirSync(home, { recursive: true });
    // The folder is known only at the prompt, which comes later than the greeting.
    writeFileSync(join(home, ".profile"), "echo hello; sleep 0.5\n");

    const reply = agent.call("terminal", { command: "touch .env; echo went on" });
    const question = await nextApproval(gateway);
    await operator.approvals.decide.mutate({ id: question.id, decision: "approve" });

    expect(question.subject.folder).not.toBeNull();
    expect(await reply).toMatchObject({ state: "completed", output: expect.stringContaining("went on") });
  });
});
