import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TerminalId } from "@belay/protocol";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test, vi } from "vitest";
import { nextApproval } from "../../testing/next-approval.ts";
import { startTestGateway, type TestGateway } from "../../testing/start-test-gateway.ts";
import { type Era, TestAgent } from "../../testing/test-agent.ts";

const RUNS_ON = "tail -f /dev/null";

test.each<Era>(["2025", "2026"])(
  "D10 two conversations on one token, interleaved by a seeded plan, keep their folders, variables and tasks (%s)",
  async (era) => {
    const gateway = await startTestGateway();
    const { token } = await gateway.addAgent();
    const talks = await Promise.all(
      ["one", "two"].map(async (name) => ({
        name,
        agent: await connect(gateway, token, { era, ...(era === "2026" ? { conversation: name } : {}) }),
        folder: await folder(),
        cwd: await realpath(tmpdir()),
        value: "",
        running: null as string | null,
      })),
    );
    const random = seeded(20_261_116);

    for (let step = 0; step < 24; step += 1) {
      const talk = talks[random(talks.length)];
      if (!talk) continue;
      switch (random(4)) {
        case 0: {
          const next = join(talk.folder, `step-${step}`);
          await mkdir(next);
          await talk.agent.call("terminal", { command: `cd ${next}` });
          talk.cwd = next;
          break;
        }
        case 1:
          talk.value = `${talk.name}-${step}`;
          await talk.agent.call("terminal", { command: `export WHOSE=${talk.value}` });
          break;
        case 2:
          if (talk.running) {
            await talk.agent.call("terminal", { handle_id: talk.running, kill: true });
            talk.running = null;
          } else {
            const started = await talk.agent.call("terminal", { command: RUNS_ON, background: true });
            talk.running = started.handle_id as string;
          }
          break;
      }
      const seen = await talk.agent.call("terminal", { command: 'pwd; echo "[$WHOSE]"' });
      expect(seen, `step ${step}, conversation ${talk.name}`).toMatchObject({
        output: `${talk.cwd}\n[${talk.value}]`,
        cwd: talk.cwd,
      });
      expect(seen).not.toHaveProperty("shell_is_shared");
      for (const { handle_id } of (seen.finished_tasks ?? []) as { handle_id: string }[]) {
        expect(handle_id).toBe(talk.running);
      }
    }
  },
);

test("D10 while a shell is busy the next command starts with its folder and exported variables, and stays there", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent();
  const there = await folder();
  await agent.call("terminal", { command: `cd ${there}; export COLOUR=green; HIDDEN=1` });

  const server = await agent.call("terminal", { command: RUNS_ON, background: true });
  const beside = await agent.call("terminal", { command: "pwd; echo $COLOUR-$HIDDEN" });
  await agent.call("terminal", { handle_id: server.handle_id, input: "\u0003" });
  const after = await agent.call("terminal", { command: "echo same" });
  const back = await agent.call("terminal", { command: "echo $HIDDEN", terminal_id: server.terminal_id });
  const stayed = await agent.call("terminal", { command: "echo $HIDDEN" });
  const fresh = await agent.call("terminal", { command: "pwd; echo $COLOUR", new: true });

  expect(beside).toMatchObject({ output: `${there}\ngreen-`, hint: expect.stringContaining("is busy (tail -f") });
  expect(beside.hint).toContain(String(server.terminal_id));
  expect(after).toMatchObject({ terminal_id: beside.terminal_id });
  expect(after.hint ?? "").not.toContain("busy");
  expect(back).toMatchObject({ output: "1", terminal_id: server.terminal_id });
  expect(stayed).toMatchObject({ output: "1", terminal_id: server.terminal_id });
  expect(fresh).toMatchObject({ output: await realpath(tmpdir()) });
});

test("D10 a command that seems to start in the future, by another clock, does not make the next one wait until then", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent();
  await agent.call("terminal", { command: RUNS_ON, background: true });
  const realNow = Date.now;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => realNow() - 600_000);
  onTestFinished(() => clock.mockRestore());

  const beside = await agent.call("terminal", { command: "echo beside" });

  expect(beside).toMatchObject({ output: "beside", hint: expect.stringContaining("is busy (tail -f") });
});

test("D10 a shell whose command waits for a person is busy too, and its exports are known from its commands", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent();
  const operator = await gateway.asPerson("operator");
  await agent.call("terminal", { command: "export COLOUR=blue" });

  const waits = nextApproval(gateway);
  const asked = agent.call("terminal", { command: "some-unknown-program" });
  const { id } = await waits;
  const beside = await agent.call("terminal", { command: "echo $COLOUR" });
  await operator.approvals.decide.mutate({ id, decision: "deny" });

  expect(await asked).toMatchObject({ security_blocked: true });
  expect(beside).toMatchObject({ output: "blue", hint: expect.stringContaining("waits for a person") });
});

test("D10 a variable that the policy does not let an agent set is not copied, and the reply says so", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent();
  const operator = await gateway.asPerson("operator");
  const waits = nextApproval(gateway);
  const asked = agent.call("terminal", { command: `export PATH=/no-such-place:$PATH COLOUR=red` });
  await operator.approvals.decide.mutate({ id: (await waits).id, decision: "approve" });
  await asked;

  await agent.call("terminal", { command: RUNS_ON, background: true });
  const beside = await agent.call("terminal", { command: "echo $COLOUR" });

  expect(beside).toMatchObject({ output: "red", hint: expect.stringContaining("without PATH") });
});

test("D10 the folder and the variables of a call apply to that call only", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent();
  const elsewhere = await folder();

  const there = await agent.call("terminal", { command: "pwd", cwd: elsewhere, env: { ONLY: "now" } });
  const running = await agent.call("terminal", { command: RUNS_ON, cwd: elsewhere, background: true });
  await agent.call("terminal", { handle_id: running.handle_id, input: "\u0003" });
  const here = await agent.call("terminal", { command: 'pwd; echo "[$ONLY]"', terminal_id: running.terminal_id });

  expect(there).toMatchObject({ output: elsewhere, cwd: elsewhere });
  expect(running).toMatchObject({ cwd: elsewhere });
  expect(here).toMatchObject({ output: `${await realpath(tmpdir())}\n[]` });
});

test("D10 calls at the same moment share one shell when they are quick", async () => {
  const gateway = await startTestGateway();
  const agent = await gateway.connectAgent();
  const first = await agent.call("terminal", { command: "true" });

  const replies = await Promise.all([1, 2, 3].map((n) => agent.call("terminal", { command: `echo ${n}` })));

  expect(replies.map(({ output }) => output)).toEqual(["1", "2", "3"]);
  expect(new Set(replies.map(({ terminal_id }) => terminal_id))).toEqual(new Set([first.terminal_id]));
});

test("D10 without a conversation name the token's shell is shared, and every reply says so", async () => {
  const gateway = await startTestGateway();
  const { token } = await gateway.addAgent();
  const [one, two] = await Promise.all([
    connect(gateway, token, { era: "2026" }),
    connect(gateway, token, { era: "2026" }),
  ]);

  const first = await one.call("terminal", { command: "export WHOSE=ours" });
  const second = await two.call("terminal", { command: "echo $WHOSE" });
  const named = await two.client.callTool({
    name: "terminal",
    arguments: { command: 'echo "[$WHOSE]"' },
    _meta: { "belay/conversation": "mine" },
  });

  expect(first).toMatchObject({ shell_is_shared: true, hint: expect.stringContaining("share this shell") });
  expect(second).toMatchObject({ output: "ours", shell_is_shared: true, terminal_id: first.terminal_id });
  expect(named.structuredContent).toMatchObject({ output: "[]" });
  expect(named.structuredContent).not.toHaveProperty("shell_is_shared");
});

test("D10 a client that reconnects gets its shell again, even after a restart of the gateway", async () => {
  const dataDir = await folder();
  const before = await startTestGateway({ dataDir, terminals: "own-process" });
  const { token } = await before.addAgent();
  const first = await connectWithSession(before, token);
  const { terminal_id } = await first.agent.call("terminal", { command: "export KEPT=yes; cd /" });
  const session = first.sessionId();
  await first.agent.close();
  await before.close({ keepTerminals: true });

  const after = await startTestGateway({ dataDir, terminals: "own-process" });
  const again = await connectWithSession(after, token, session);
  const found = await again.agent.call("terminal", { command: "pwd; echo $KEPT" });
  const other = await connectWithSession(after, token);
  const fresh = await other.agent.call("terminal", { command: 'echo "[$KEPT]"' });

  expect(found).toMatchObject({ output: "/\nyes", terminal_id });
  expect(fresh).toMatchObject({ output: "[]" });
});

test("D10 an agent at its limit gets a new shell in place of the least recently used one", async () => {
  const gateway = await startTestGateway({ security: { limits: { terminalsPerAgent: 2 } } });
  const { token } = await gateway.addAgent();
  const talks = [];
  for (const conversation of ["a", "b", "c"]) talks.push(await connect(gateway, token, { era: "2026", conversation }));
  const ids: unknown[] = [];

  for (const talk of talks) ids.push((await talk.call("terminal", { command: "true" })).terminal_id);
  const open = (await gateway.terminals.list()).map(({ id }) => id);

  expect(open.sort()).toEqual((ids as TerminalId[]).slice(1).sort());
});

test("D10 a client may work in a folder that the policy lists, and in no other", async () => {
  const listed = await folder();
  const project = join(listed, "project");
  await mkdir(project);
  const unlisted = await mkdtemp(join(process.cwd(), "node_modules", ".belay-test-"));
  onTestFinished(() => rm(unlisted, { recursive: true, force: true }));
  const gateway = await startTestGateway({
    security: { workspaces: [listed] },
    env: { BELAY_WORKSPACE: await folder() },
  });
  const { token } = await gateway.addAgent();

  const inside = await connect(gateway, token, { query: { workspace: project } });
  const outside = await connect(gateway, token, { query: { workspace: unlisted } });
  const started = await inside.call("terminal", { command: "touch leaf && pwd" });
  const refused = await outside.call("terminal", { command: "pwd" });

  expect(started).toMatchObject({ exit_code: 0, output: project });
  expect(refused.output).toBe(await realpath(gateway.settings.workspace));
  expect(refused.hint).toContain("`workspaces` in security.json");
});

async function connect(
  gateway: TestGateway,
  token: string,
  { era = "2025", conversation, query = {} }: { era?: Era; conversation?: string; query?: Record<string, string> },
): Promise<TestAgent> {
  const named = conversation === undefined ? query : { ...query, conversation };
  const agent = await TestAgent.connect(gateway.url(), token, undefined, { era, query: named });
  onTestFinished(() => agent.close());
  return agent;
}

/** A 2025 client that keeps its session id, like one that reconnects. */
async function connectWithSession(gateway: TestGateway, token: string, session?: string) {
  const headers = { authorization: `Bearer ${token}`, ...(session ? { "belay-conversation": session } : {}) };
  const endpoint = new URL("/mcp?structured=1", gateway.url());
  const transport = new StreamableHTTPClientTransport(endpoint, { requestInit: { headers } });
  const agent = await TestAgent.over(transport);
  onTestFinished(() => agent.close());
  return { agent, sessionId: () => transport.sessionId ?? "" };
}

async function folder(): Promise<string> {
  const made = await realpath(await mkdtemp(join(tmpdir(), "belay-talk-")));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

/** Numbers below `max`, reproducible (mulberry32). */
function seeded(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % max;
  };
}
