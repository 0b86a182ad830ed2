import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestContainers } from "@belay/core/testing";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { proveSettings } from "../../testing/prove-settings.ts";
import { hasSandbox, startSandboxedGateway } from "../../testing/sandboxed-gateway.ts";
import { startTestGateway, type TestGateway } from "../../testing/start-test-gateway.ts";
import { TestAgent } from "../../testing/test-agent.ts";

// Settings of sandboxes, containers, users, workspaces and resource limits, each set to something other than its default. Each test claims those in its name.

proveSettings();

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
    return agent.call("terminal", { command: 'echo "[$PAGER] [$GIT_PAGER]"' });
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

test("C16 settings container.runtime .image .user .readOnlyRoot .readable .writable .env", {
  skip: !containers,
  // Four containers one after the other, which on a busy machine take seconds each.
  timeout: 180_000,
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

test("C16 setting container.program: what the engine lacks is said in its name", async () => {
  const container = { program: "docker", image: "belay-none:none" };
  const { connectAgent } = await startSandboxedGateway({ isolation: "container", container });

  await expect(connectAgent()).rejects.toThrow(/docker/);
});

test("C16 settings container.startAhead", { skip: !containers, timeout: 180_000 }, async () => {
  const open = async (startAhead: boolean) => {
    const { workspace, connectAgent } = await startSandboxedGateway({
      isolation: "container",
      container: { ...containers?.engine, image: containers?.image, startAhead },
    });
    await (await connectAgent()).call("terminal", { command: "true" });
    return () =>
      spawnSync("podman", ["ps", "-q", "--filter", `volume=${workspace}`], { encoding: "utf8" }).stdout.match(/^\w/gm);
  };
  const [plain, ahead] = [await open(false), await open(true)];

  await vi.waitFor(() => expect(ahead()).toHaveLength(2), { timeout: 60_000, interval: 200 });
  expect(plain()).toHaveLength(1);
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

test("settings network.hosts", { skip: !hasSandbox }, async () => {
  const gateway = await startSandboxedGateway({ network: { hosts: ["registries", "*.example.com:8443"] } });
  const agent = await gateway.addAgent();

  const hosts = gateway.walls.of(agent)?.hosts;

  expect(hosts).toEqual(expect.arrayContaining(["registry.npmjs.org", "*.example.com:8443"]));
  expect(hosts).not.toContain("github.com");
});
