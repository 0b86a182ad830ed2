import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestContainers } from "@belay/core/testing";
import type { CommandId } from "@belay/protocol";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { TerminalService } from "../doors/library/terminal-service.ts";
import { nextApproval } from "../testing/next-approval.ts";
import { hasSandbox, startSandboxedGateway } from "../testing/sandboxed-gateway.ts";
import { startTestGateway, type TestGateway } from "../testing/start-test-gateway.ts";
import { TestAgent } from "../testing/test-agent.ts";

// Settings that the gateway honours, each set to something other than its default; each test claims those in
// its name. Settings that change a verdict are claimed in the test of the same name in packages/policy.

const UNKNOWN = "some-unknown-program";
const DAY_MS = 24 * 3_600_000;

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
  expect(await old.gateway.changeViews.of(old.changed_by as CommandId)).toMatchObject({ problem: null });
  const { now } = Date;
  vi.spyOn(Date, "now").mockImplementation(() => now() + 2 * DAY_MS);
  await old.gateway.changes.prune();
  vi.restoreAllMocks();
  expect(await old.gateway.changeViews.of(old.changed_by as CommandId)).toMatchObject({ list: null });
});

test("settings pagers and workspaces", async () => {
  // Outside the temporary folder, which is these gateways' workspace.
  const folder = mkdtempSync("/var/tmp/belay-setting-");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [plain, other] = await Promise.all([
    startTestGateway(),
    startTestGateway({ security: { pagers: true, workspaces: [folder] } }),
  ]);
  const pagerIn = async (gateway: TestGateway) => {
    const { token } = await gateway.addAgent();
    const agent = await TestAgent.connect(gateway.url(), token, undefined, { query: { workspace: folder } });
    onTestFinished(() => agent.close());
    return agent.call("terminal", { command: "echo [$PAGER] [$GIT_PAGER]" });
  };

  const [without, withPagers] = await Promise.all([pagerIn(plain), pagerIn(other)]);

  expect(without.output).toBe("[cat] [cat]");
  expect(without.cwd).not.toBe(folder);
  expect(withPagers).toMatchObject({ output: "[] []", cwd: folder });
});

test("settings sandbox.readable .writable .env and network.mode", { skip: !hasSandbox }, async () => {
  const [readable, writable] = [0, 1].map(() => mkdtempSync(join(tmpdir(), "belay-setting-")));
  onTestFinished(() => {
    for (const folder of [readable, writable]) rmSync(folder ?? "", { recursive: true, force: true });
  });
  const probe = async (security: object) => {
    const gateway = await startSandboxedGateway(security, { env: { SOME_VARIABLE: "passed" } });
    const look = `for d in ${readable} ${writable}; do ls $d && touch $d/x; done; echo "[$SOME_VARIABLE]"; ip=/proc/net/route; wc -l < $ip`;
    writeFileSync(join(gateway.workspace, "look.sh"), `{ ${look}; } 2>&1 | sed 's/.*: //'\n`);
    return (await (await gateway.connectAgent()).call("terminal", { command: "bash look.sh" })).output;
  };

  const closed = await probe({ network: { mode: "none" } });
  const open = await probe({
    sandbox: { readable: [readable], writable: [writable], env: ["SOME_VARIABLE"] },
    network: { mode: "host" },
  });

  const missing = "No such file or directory";
  expect(closed).toBe(`${missing}\n${missing}\n[]\n1`);
  expect(open).toMatch(/^Read-only file system\n\[passed\]\n([2-9]|\d\d)$/);
  expect(existsSync(join(writable ?? "", "x"))).toBe(true);
});

const containers = openTestContainers();
afterAll(() => containers?.remove());

test("C16 settings container.program .runtime .image .user .readOnlyRoot .readable .writable .env", {
  skip: !containers,
  timeout: 60_000,
}, async () => {
  const [readable, writable] = [0, 1].map(() => mkdtempSync(join(tmpdir(), "belay-setting-")));
  onTestFinished(() => {
    for (const folder of [readable, writable]) rmSync(folder ?? "", { recursive: true, force: true });
  });
  const look = [
    `for d in ${readable} ${writable}; do ls $d && echo x > $d/x; done`,
    'echo "[$SOME_VARIABLE]"; id -u; echo x > /usr/x && echo changed; [ -e /usr/bin/git ] || echo another root',
    'echo "$HTTP_PROXY"; grep -c : /proc/net/dev',
  ].join("\n");
  const probe = async (container: object, toolset: "unified" | "sessions") => {
    const gateway = await startSandboxedGateway(
      { isolation: "container", container: { ...containers?.engine, image: containers?.image, ...container } },
      { env: { SOME_VARIABLE: "passed" } },
    );
    writeFileSync(join(gateway.workspace, "look.sh"), look);
    chmodSync(gateway.workspace, 0o755);
    const agent = await gateway.connectAgent({ toolset });
    const command = "bash look.sh 2>&1";
    const said = await (toolset === "unified" ? agent.call("terminal", { command }) : agent.call("bash", { command }));
    return String(said.output).replaceAll(/^.*: /gm, "").trim().split("\n");
  };

  const missing = "No such file or directory";
  const proxy = "http://127.0.0.1:3128";
  const closed = [missing, missing, "[]", "0", "Read-only file system", "another root", proxy, "1"];
  expect(await probe({}, "unified")).toEqual(closed);
  expect(await probe({}, "sessions")).toEqual(closed);
  chmodSync(writable ?? "", 0o777);
  const open = { readable: [readable], writable: [writable], env: ["SOME_VARIABLE"], readOnlyRoot: false };
  expect(await probe(open, "unified")).toEqual([
    "Read-only file system",
    "[passed]",
    "0",
    "changed",
    "another root",
    proxy,
    "1",
  ]);
  expect(await probe({ user: "12345:12345" }, "sessions")).toContain("12345");
  expect(await probe({ user: "12345:12345" }, "unified")).toContain("12345");
});

test("settings approval.ownAgents", async () => {
  const answers = [];
  for (const ownAgents of ["approve", "refuse-only"] as const) {
    const gateway = await startTestGateway({ security: { approval: { ownAgents } } });
    const admin = await gateway.asPerson("admin");
    const { token } = await admin.agents.add.mutate({ name: "mine" });
    const agent = await TestAgent.connect(gateway.url(), token);
    const reply = agent.call("terminal", { command: UNKNOWN });
    const { id } = await nextApproval(gateway);
    const approve = admin.approvals.decide.mutate({ id, decision: "approve", scope: { type: "once" } });
    answers.push(await approve.then(() => "approved").catch((error: Error) => error.message));
    // Another person may approve, and refusing is always possible.
    if (ownAgents === "refuse-only") await admin.approvals.decide.mutate({ id, decision: "deny" });
    await reply;
    await agent.close();
  }

  expect(answers).toEqual([
    "approved",
    "This agent acts for you, and the policy requires another person to approve for it. You can refuse it.",
  ]);
});

test("settings approval.passOn.afterMinutes .webhooks", async () => {
  const passOn = { afterMinutes: 1, webhooks: ["whk-later"] };
  const gateway = await startTestGateway({ security: { approval: { passOn } } });

  // webhooks.test.ts proves the effect; this proves that the active policy is used.
  expect(gateway.webhooks.passOn()).toEqual(passOn);
});

test("settings approval.tellNames", async () => {
  const refusals = [];
  for (const tellNames of [false, true]) {
    const gateway = await startTestGateway({ security: { approval: { tellNames } } });
    const agent = await gateway.connectAgent();
    const operator = await gateway.asPerson("operator");
    const reply = agent.call("terminal", { command: UNKNOWN });
    const { id } = await nextApproval(gateway);
    await operator.approvals.decide.mutate({ id, decision: "deny", message: "Not today." });
    refusals.push((await reply).output);
  }

  expect(refusals).toEqual([
    "Not run: an operator refused it: Not today.",
    "Not run: operator (operator) refused it: Not today.",
  ]);
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

test("settings limits.terminal.processes .memoryBytes .cpus .openFiles .fileBytes .recordingBytes", async () => {
  const terminal = { processes: 200, memoryBytes: 2e8, cpus: 0.7, openFiles: 99, fileBytes: 1e6, recordingBytes: 1e6 };
  const gateway = await startTestGateway({ security: { limits: { terminal } } });
  const agent = await gateway.connectAgent();
  const sessions = await gateway.connectAgent({ name: "once", toolset: "sessions" });

  const grown = await agent.call("terminal", { command: "head -c 5m /dev/zero > grown; ulimit -n" });
  const failed = await agent.call("terminal", { command: "head -c 5m /dev/zero > grown" });
  const once = await sessions.call("bash", { command: "head -c 5m /dev/zero > grown" });
  const [shell] = await gateway.terminals.list();

  expect(shell?.limits).toEqual(terminal);
  expect(grown.output).toContain("99");
  expect(failed).toMatchObject({ exit_code: 153, hint: expect.stringContaining("limits.terminal.fileBytes") });
  expect(once).toMatchObject({ ok: false, hint: expect.stringContaining("limits.terminal.fileBytes") });
});

test("C14 setting runAs: a user that terminals cannot get is an error, and nothing is started", async () => {
  const gateway = await startTestGateway({ security: { runAs: "no-such-user-here" } });

  await expect(gateway.connectAgent()).rejects.toThrow('is to run as the user "no-such-user-here"');
});

test.runIf(process.getuid?.() === 0)(
  "C14 setting runAs: shells and single commands have that user's rights",
  async () => {
    const workspace = mkdtempSync(join(tmpdir(), "belay-setting-"));
    onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
    chmodSync(workspace, 0o777);
    const gateway = await startTestGateway({ env: { BELAY_WORKSPACE: workspace }, security: { runAs: "nobody" } });
    const agent = await gateway.connectAgent();
    const sessions = await gateway.connectAgent({ name: "once", toolset: "sessions" });

    const shell = await agent.call("terminal", { command: "id -un" });
    const once = await sessions.call("bash", { command: "id -un" });

    expect([shell.output, String(once.output).trim()]).toEqual(["nobody", "nobody"]);
  },
);

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

test("settings approval.approvers .approversNeeded and rules.*.approvers .approversNeeded", async () => {
  const rules = [
    { id: "two", decision: "ask", program: "tool-for-two", approversNeeded: 2 },
    { id: "admins", decision: "ask", program: "tool-for-admins", approvers: ["admin"] },
  ];
  const gateway = await startTestGateway({ security: { approval: { approvers: ["operator", "admin"] }, rules } });
  const strict = await startTestGateway({ security: { approval: { approvers: ["admin"], approversNeeded: 3 } } });

  const questions = [
    await questionFor(gateway, UNKNOWN),
    await questionFor(gateway, "tool-for-two"),
    await questionFor(gateway, "tool-for-admins"),
    await questionFor(strict, UNKNOWN),
  ];

  expect(questions).toMatchObject([
    { approvers: ["operator", "admin"], approversNeeded: 1 },
    { approvers: ["operator", "admin"], approversNeeded: 2 },
    { approvers: ["admin"], approversNeeded: 1 },
    { approvers: ["admin"], approversNeeded: 3 },
  ]);
});

test("settings approval.timeouts.unknownMs .dangerousMs and approval.sessionsTimeouts.unknownMs .dangerousMs", async () => {
  const timeouts = { unknownMs: 7_040_000, dangerousMs: 7_041_000 };
  const sessionsTimeouts = { unknownMs: 7_042_000, dangerousMs: 7_043_000 };
  const security = { approval: { timeouts, sessionsTimeouts }, dangerousCommands: ["^some-dangerous-program"] };
  const gateway = await startTestGateway({ security });
  const waits: number[] = [];

  for (const toolset of ["unified", "sessions"] as const) {
    for (const command of [UNKNOWN, "some-dangerous-program"]) {
      const { createdAt, expiresAt } = await questionFor(gateway, command, toolset);
      waits.push((expiresAt ?? 0) - createdAt);
    }
  }

  expect(waits).toEqual([7_040_000, 7_041_000, 7_042_000, 7_043_000]);
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

test("setting profiles.*.description is shown to admins", async () => {
  const security = { profiles: { careful: { description: "Asks for everything." } } };
  const gateway = await startTestGateway({ security });
  const admin = await gateway.asPerson("admin");

  const wrong = admin.agents.add.mutate({ name: "a", profile: "no-such" });

  await expect(wrong).rejects.toThrow("careful (Asks for everything.)");
});

function collectActs(gateway: TestGateway) {
  const submit = vi.spyOn(gateway.commands, "submit");
  return () => submit.mock.calls.map(([{ act }]) => act);
}

let agents = 0;

/** Has a new agent request something, returns what a person would see, and refuses it. */
async function questionFor(gateway: TestGateway, command: string, toolset = "unified") {
  const agent = await gateway.connectAgent({ name: `asker-${agents++}`, toolset });
  const operator = await gateway.asPerson("admin");
  const asked = nextApproval(gateway);
  const name = toolset === "sessions" ? "bash" : "terminal";
  const reply = agent.client.callTool({ name, arguments: { command } });
  const approval = await asked;
  await operator.approvals.decide.mutate({ id: approval.id, decision: "deny" });
  await reply;
  return approval;
}

test("settings network.hosts", { skip: !hasSandbox }, async () => {
  const gateway = await startSandboxedGateway({ network: { hosts: ["registries", "*.example.com:8443"] } });
  const agent = await gateway.addAgent();

  const hosts = gateway.walls.of(agent)?.hosts;

  expect(hosts).toEqual(expect.arrayContaining(["registry.npmjs.org", "*.example.com:8443"]));
  expect(hosts).not.toContain("github.com");
});
