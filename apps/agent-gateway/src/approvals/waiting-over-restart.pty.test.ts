import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectSurvivalRow } from "@belay/core/testing";
import type { Approval } from "@belay/protocol";
import { expect, onTestFinished, test, vi } from "vitest";
import { loadSettings } from "../env.ts";
import { openGateway } from "../open-gateway.ts";
import { belayJson, runBelay, signInOnCommandLine } from "../testing/belay-process.ts";
import { databaseFor } from "../testing/database/database-for.ts";
import { TestAgent } from "../testing/test-agent.ts";

test("G6 C5 kill -9 while a command waits: it still waits, keeps its terminal and its shell's memory, and runs once", async () => {
  const { dataDir, agent, token, kill } = await start();
  const marks = join(temporaryDir(), "marks");
  const { terminal_id } = await agent.call("terminal", { command: "greeting=hello" });
  agent.call("terminal", { command: `some-unknown-program; echo $greeting >> ${marks}` }).catch(() => {});
  const [approval] = await pending(dataDir);
  expect(approval?.subject.terminalId).toBe(terminal_id);

  await kill();
  const url = await runBelay(dataDir, ["start"]).ready;
  const [stillThere] = await pending(dataDir);
  await signInOnCommandLine(dataDir);
  await belayJson(dataDir, "approvals", "approve", stillThere?.id ?? "");
  const again = await TestAgent.connect(url, token);
  const handle = { handle_id: approval?.commandId, wait_ms: 40_000 };
  const polled = await again.call("terminal", handle);

  expect(stillThere).toEqual(approval);
  expect(polled).toMatchObject({ state: "completed", exit_code: 0, terminal_id });
  expect(await again.call("terminal", handle)).toMatchObject({ exit_code: 0 });
  expect(readFileSync(marks, "utf8")).toBe("hello\n");
  await again.close();
});

test("G6 an agent that reconnects gets the result of a command that finished without a gateway", async () => {
  const { dataDir, agent, token, kill } = await start();
  const gate = join(temporaryDir(), "gate");
  const command = `until [ -e ${gate} ]; do sleep 0.05; done; echo finished alone; (exit 7)`;
  const running = await agent.call("terminal", { command, background: true });

  await kill();
  // No Belay process listens now; the shell keeps running.
  writeFileSync(gate, "");
  const url = await runBelay(dataDir, ["start"]).ready;
  const again = await TestAgent.connect(url, token);
  const polled = await again.call("terminal", { handle_id: running.handle_id, wait_ms: 40_000 });

  expect(polled).toMatchObject({ state: "completed", exit_code: 7, output: "finished alone" });
  await again.close();
});

test("C5 a question that expired without a gateway is denied", async () => {
  const { dataDir, agent, token, kill } = await start({ approval: { timeouts: { unknownMs: 5000 } } });
  const waiting = agent.call("terminal", { command: "some-unknown-program" });
  waiting.catch(() => {});
  const [approval] = await pending(dataDir);

  await kill();
  await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(approval?.expiresAt ?? 0), { timeout: 20_000 });
  const url = await runBelay(dataDir, ["start"]).ready;
  const again = await TestAgent.connect(url, token);
  const polled = await again.call("terminal", { handle_id: approval?.commandId, wait_ms: 40_000 });

  expect(polled).toMatchObject({ isError: true, output: expect.stringMatching(/no one answered in time/i) });
  await again.close();
});

test("C5 a waiting command is asked about once after a restart, even if the policy has changed", async () => {
  const { dataDir, agent, token, kill } = await start();
  const marks = join(temporaryDir(), "marks");
  agent.call("terminal", { command: `some-unknown-program; echo once >> ${marks}` }).catch(() => {});
  const [before] = await pending(dataDir);

  await kill();
  const rules = [{ id: "no-other", decision: "deny", program: "some-other-program" }];
  writeFileSync(join(dataDir, "security.json"), JSON.stringify({ rules }));
  const url = await runBelay(dataDir, ["start"]).ready;
  const waiting = await pending(dataDir);
  await signInOnCommandLine(dataDir);
  const old = await runBelay(dataDir, ["approvals", "approve", before?.id ?? ""]).ended;
  await belayJson(dataDir, "approvals", "approve", waiting[0]?.id ?? "");
  const again = await TestAgent.connect(url, token);
  const polled = await again.call("terminal", { handle_id: before?.commandId, wait_ms: 40_000 });

  expect(waiting).toHaveLength(1);
  expect(waiting[0]?.id).not.toBe(before?.id);
  expect(old).toMatchObject({ code: 1, stderr: "belay: This was already withdrawn.\n" });
  expect(polled).toMatchObject({ state: "completed", exit_code: 0 });
  expect(readFileSync(marks, "utf8")).toBe("once\n");
  expectSurvivalRow("the policy changes while a command waits and Belay is down", {
    belay: "withdraws the old question and asks again; the command runs at most once",
    says: "to the person who answers the old question",
  });
  await again.close();
});

test("C5 a command that the policy now forbids is not asked about after a restart", async () => {
  const { dataDir, agent, token, kill } = await start();
  agent.call("terminal", { command: "some-unknown-program" }).catch(() => {});
  const [waiting] = await pending(dataDir);

  await kill();
  const rules = [{ id: "no-unknown", decision: "deny", program: "some-unknown-program" }];
  writeFileSync(join(dataDir, "security.json"), JSON.stringify({ rules }));
  const url = await runBelay(dataDir, ["start"]).ready;
  const left = await belayJson(dataDir, "approvals", "list");
  const again = await TestAgent.connect(url, token);
  const polled = await again.call("terminal", { handle_id: waiting?.commandId, wait_ms: 40_000 });

  expect(left).toEqual([]);
  expect(polled).toMatchObject({ isError: true, rule: "no-unknown" });
  await again.close();
});

test("C5 an approval is refused if no command waits for it, as while Belay is stopped", async () => {
  const { dataDir, agent, kill } = await start();
  agent.call("terminal", { command: "some-unknown-program" }).catch(() => {});
  const [waiting] = await pending(dataDir);
  if (!waiting) throw new Error("Nothing waits.");

  await kill();
  const stopped = await openGateway(
    loadSettings({ HOME: dataDir, BELAY_DATA_DIR: dataDir, BELAY_WORKSPACE: tmpdir(), ...databaseFor(dataDir) }),
  );
  onTestFinished(() => stopped.close());
  const person = { email: "op@belay.test", password: "correct horse battery", name: "op", role: "operator" } as const;
  const operator = await stopped.people.add(person, { type: "system" });
  const approve = { decision: "approve", scope: { type: "once" }, editedText: null } as const;

  await expect(stopped.approvals.decide(waiting.id, approve, operator)).rejects.toThrow(
    "No command is waiting for this answer",
  );
  expect(await stopped.approvals.list({ state: "pending" })).toEqual([waiting]);
});

async function start(security: object = {}) {
  const dataDir = temporaryDir();
  writeFileSync(join(dataDir, "security.json"), JSON.stringify(security));
  const gateway = runBelay(dataDir, ["start"]);
  const url = await gateway.ready;
  const { token } = (await belayJson(dataDir, "agent", "add", "tester")) as { token: string };
  const agent = await TestAgent.connect(url, token);
  const kill = async () => {
    gateway.child.kill("SIGKILL");
    await gateway.ended;
  };
  return { dataDir, agent, token, kill };
}

async function pending(dataDir: string): Promise<Approval[]> {
  return vi.waitFor(
    async () => {
      const found = (await belayJson(dataDir, "approvals", "list")) as Approval[];
      expect(found).not.toEqual([]);
      return found;
    },
    { timeout: 30_000, interval: 100 },
  );
}

function temporaryDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "belay-waiting-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
