import { expect, test } from "vitest";
import { TerminalService } from "../../doors/library/terminal-service.ts";
import { collectActs } from "../../testing/collect-acts.ts";
import { proveSettings } from "../../testing/prove-settings.ts";
import { startTestGateway } from "../../testing/start-test-gateway.ts";

// Settings of tools and their limits, each set to something other than its default. Each test claims those in its name.

proveSettings();

test("settings toolDefaults.unified.idleMs .timeoutMs .slowTimeoutMs .slowCommands .backgroundCollectMs", async () => {
  const unified = { idleMs: 7_001, timeoutMs: 7_002, slowTimeoutMs: 7_003, slowCommands: ["sleep"] };
  const security = { toolDefaults: { unified: { ...unified, backgroundCollectMs: 11 } } };
  const gateway = await startTestGateway({ security });
  const agent = await gateway.connectAgent();
  const acts = collectActs(gateway);

  await agent.call("terminal", { command: "true" });
  await agent.call("terminal", { command: "sleep 0" });
  await agent.call("terminal", { command: "true", background: true });

  expect(acts()).toMatchObject([
    { wait: { type: "idle", idleMs: 7_001, timeoutMs: 7_002 } },
    { wait: { type: "idle", idleMs: null, timeoutMs: 7_003 } },
    { wait: { type: "background", collectMs: 11 } },
  ]);
});

test("settings toolDefaults.unified.taskMaxMs .abandonedReplMs .quickCommands .displayCommandCharacters", async () => {
  const unified = { taskMaxMs: 7_005, abandonedReplMs: 7_006, quickCommands: ["sleep"], displayCommandCharacters: 12 };
  const gateway = await startTestGateway({ security: { toolDefaults: { unified } } });
  const agent = await gateway.connectAgent();
  const acts = collectActs(gateway);

  await agent.call("terminal", { command: "ls", async: true });
  const refused = await agent.client.callTool({ name: "terminal", arguments: { command: "sleep 0", async: true } });
  const { _meta } = await agent.client.callTool({ name: "terminal", arguments: { command: "echo 123456789012345" } });

  expect(acts()[0]).toMatchObject({ task: { maxDurationMs: 7_005, maxWaitingMs: 7_006 } });
  expect(JSON.stringify(refused.content)).toContain("too quick for `async`");
  expect(_meta?.["belay/display"]).toMatchObject({ call: "terminal(echo 123456…)" });
});

test("settings toolDefaults.unified.outputCharacters .previewCharacters .lineCharacters", async () => {
  const unified = { outputCharacters: 300, previewCharacters: 200, lineCharacters: 50 };
  const gateway = await startTestGateway({ security: { toolDefaults: { unified } } });
  const agent = await gateway.connectAgent();

  const short = await agent.call("terminal", { command: "seq 60" });
  const long = await agent.call("terminal", { command: "seq 400" });
  const wide = await agent.call("terminal", { command: "printf '%0200d\\n' 7" });

  expect(short.output_truncated).toBeUndefined();
  expect(long.output_truncated).toBe(true);
  expect(String(long.output).length).toBeLessThan(600);
  expect(
    Math.max(
      ...String(wide.output)
        .split("\n")
        .map((line) => line.length),
    ),
  ).toBeLessThan(120);
});

test("settings toolDefaults.unified.runSyncTimeoutMs and toolDefaults.sessions.executeTimeoutMs", async () => {
  const toolDefaults = { unified: { runSyncTimeoutMs: 7_010 }, sessions: { executeTimeoutMs: 7_011 } };
  const gateway = await startTestGateway({ security: { toolDefaults } });
  const terminals = new TerminalService(gateway);
  await terminals.attach("helper");
  const acts = collectActs(gateway);

  const sync = await terminals.runSync("echo one; false", {}, "helper");
  await terminals.executeCommand("true", [], {}, "helper");

  expect(sync).toEqual({ output: "one\n", exitCode: 1 });
  expect(acts()).toMatchObject([{ timeoutMs: 7_010 }, { timeoutMs: 7_011 }]);
});

test("D11 runSync gives the reason where the policy refuses", async () => {
  const gateway = await startTestGateway({ security: { blockedCommands: ["some-tool"] } });
  const terminals = new TerminalService(gateway);
  await terminals.attach("helper");

  const refused = await terminals.runSync("some-tool", {}, "helper");

  expect(refused).toEqual({ output: expect.stringMatching(/^Not run: /), exitCode: null });
});

test("settings toolDefaults.deep.shell .executeTimeoutMs and limits.executeOutputBytes", async () => {
  const deep = { shell: "/bin/sh", executeTimeoutMs: 7_020 };
  const gateway = await startTestGateway({
    security: { toolDefaults: { deep }, limits: { executeOutputBytes: 1024 } },
  });
  const agent = await gateway.connectAgent({ toolset: "deep" });
  const acts = collectActs(gateway);

  await agent.call("deep_terminal", { action: "start", session_id: "one" });
  const ran = await agent.call("deep_terminal", { action: "execute", session_id: "one", command: "seq 2000" });

  expect((await gateway.terminals.list())[0]).toMatchObject({ shell: "/bin/sh" });
  expect(acts()[1]).toMatchObject({ wait: { timeoutMs: 7_020 } });
  expect(ran).toMatchObject({ output_truncated: true });
});

test("settings toolDefaults.sessions.bashTimeoutMs .cropOutputCharacters .minIntervalMs .settleIntervalMs .maxIntervalMs .provider", async () => {
  const intervals = { minIntervalMs: 31, settleIntervalMs: 32, maxIntervalMs: 7_033 };
  const sessions = { bashTimeoutMs: 7_030, cropOutputCharacters: 100, ...intervals };
  const gateway = await startTestGateway({ security: { toolDefaults: { sessions } } });
  const agent = await gateway.connectAgent({ toolset: "sessions" });
  const acts = collectActs(gateway);

  const cropped = await agent.client.callTool({ name: "bash", arguments: { command: "seq 400" } });
  await agent.client.callTool({ name: "terminal_start", arguments: { command: "true" } });

  expect(acts()).toMatchObject([
    { timeoutMs: 7_030 },
    { wait: { type: "settle", minMs: 31, settleMs: 32, maxMs: 7_033 } },
  ]);
  expect(JSON.stringify(cropped.content).length).toBeLessThan(500);
  const other = await startTestGateway({ security: { toolDefaults: { sessions: { provider: "elsewhere" } } } });
  const elsewhere = await other.connectAgent({ toolset: "sessions" });
  const refused = await elsewhere.client.callTool({ name: "bash", arguments: { command: "true" } });
  expect(JSON.stringify(refused.content)).toContain("elsewhere");
});

test("settings limits.historyBytes and limits.commandBytes", async () => {
  const gateway = await startTestGateway({ security: { limits: { historyBytes: 1024, commandBytes: 256 } } });
  const agent = await gateway.connectAgent({ toolset: "all" });
  const { terminal_id } = await agent.call("terminal", { command: "seq 2000" });

  const { content } = await agent.client.callTool({
    name: "read_terminal",
    arguments: { terminalId: terminal_id },
  });
  const long = await agent.call("terminal", { command: `echo ${"x".repeat(300)}` });

  const { history } = JSON.parse((content as { text: string }[])[0]?.text ?? "{}") as { history: string };
  expect(history.length).toBeLessThanOrEqual(1024);
  expect(history).toContain("2000");
  expect(long).toMatchObject({ isError: true, output: expect.stringContaining("the policy takes at most 256") });
});

test("settings limits.spawnsPerMinute .spawnedTerminals .spawnedIdleMs .terminalsPerAgent", async () => {
  const limits = { spawnsPerMinute: 8, spawnedTerminals: 7, spawnedIdleMs: 600_001, terminalsPerAgent: 1 };
  const gateway = await startTestGateway({ security: { limits } });
  const agent = await gateway.connectAgent({ toolset: "pool" });
  const acts = collectActs(gateway);
  const spawn = () =>
    agent.client.callTool({
      name: "spawn_background_terminal",
      arguments: { cwd: gateway.settings.workspace, command: ["tail", "-f", "/dev/null"] },
    });

  await spawn();
  const second = await spawn();

  expect(acts()[0]).toMatchObject({
    request: { limits: { idleTimeoutMs: 600_001 }, quota: { maxOpen: 7, maxPerMinute: 8 } },
  });
  expect(JSON.stringify(second.content)).toContain("all it may have");
});
