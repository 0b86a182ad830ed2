import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { wallsDirOf } from "@belay/core";
import { describe, expect, test } from "vitest";
import { nextApproval } from "../testing/next-approval.ts";
import { hasSandbox, startSandboxedGateway } from "../testing/sandboxed-gateway.ts";

/** Fails, because there is no such cluster; a question would come before that. */
const CLOUD = "kubectl --request-timeout=1s delete namespace some-space";

describe.runIf(hasSandbox)("what a wall makes harmless", () => {
  test("X12 a file that an agent removes is in the trash, so nobody is asked", async () => {
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

    expect(first.state).toBe("completed");
    expect(connection.subject.text).toBe("connect-to 192.0.2.7:80");
    expect(question.subject.text).toBe(CLOUD);
    expect(await again).toMatchObject({ isError: true });
  });
});
