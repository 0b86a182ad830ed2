import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { belayJson, runBelay } from "../../../testing/belay-process.ts";
import { endHost, isAlive } from "../../../testing/end-host.ts";
import { startTestGateway } from "../../../testing/start-test-gateway.ts";
import { type Era, TestAgent } from "../../../testing/test-agent.ts";

// The built program, as people run it. `npm test` builds it first.
const BELAY = fileURLToPath(new URL("../../../../bin/belay.mjs", import.meta.url));

test.each<Era>(["2025", "2026"])(
  "G1 belay mcp speaks the protocol of %s over stdio to a gateway with a token",
  async (era) => {
    const gateway = await startTestGateway();
    const { token } = await gateway.addAgent({ name: "far-away" });
    const { agent } = await connect({ BELAY_URL: gateway.url(), BELAY_TOKEN: token }, ["--toolset", "all"], era);

    const { tools } = await agent.client.listTools();
    const reply = await agent.call("terminal", { command: "echo over the wire" });

    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["terminal", "bash", "list_terminals", "deep_terminal"]),
    );
    expect(reply).toMatchObject({ output: "over the wire", exit_code: 0 });
  },
);

test("G1 belay mcp starts a gateway if none runs, the next one finds it, and neither needs a token", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "belay-stdio-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const env = { BELAY_DATA_DIR: dataDir, BELAY_PORT: "0", HOME: dataDir };

  const first = await connect(env, ["--agent", "editor"]);
  onTestFinished(() => stopGateway(dataDir, first.said()));
  const reply = await first.agent.call("terminal", { command: "echo by myself" });
  const second = await connect(env, ["--agent", "reviewer", "--toolset", "pool"]);
  const { tools } = await second.agent.client.listTools();

  expect(reply).toMatchObject({ output: "by myself", exit_code: 0 });
  expect(first.said()).toMatch(/^belay: Started Belay \(process \d+; /);
  expect(second.said()).toBe("");
  expect(tools[0]?.name).toBe("list_terminals");
  expect(await belayJson(dataDir, "agent", "list")).toMatchObject([
    { name: "editor", profile: "standard" },
    { name: "reviewer", profile: "standard" },
  ]);
  expect(await readFile(join(dataDir, "gateway.log"), "utf8")).toContain("Belay is ready at http://127.0.0.1:");
});

test("G1 belay mcp says where to look if the gateway it starts fails", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "belay-stdio-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  await writeFile(join(dataDir, "security.json"), "{ broken");

  const { code, stderr } = await runBelay(dataDir, ["mcp"]).ended;

  expect(code).toBe(1);
  expect(stderr).toBe(`belay: Belay did not start. ${join(dataDir, "gateway.log")} says why.\n`);
  expect(await readFile(join(dataDir, "gateway.log"), "utf8")).toContain("security.json");
});

test("G1 G5 belay mcp reports a bad token and an unreachable gateway", async () => {
  const gateway = await startTestGateway();

  const [badToken, noGateway] = await Promise.allSettled([
    connect({ BELAY_URL: gateway.url(), BELAY_TOKEN: "blt_wrong" }, []),
    connect({ BELAY_URL: "http://127.0.0.1:9", BELAY_TOKEN: "blt_any" }, []),
  ]);

  expect(badToken).toMatchObject({ reason: { message: expect.stringContaining("Send an agent's token") } });
  expect(noGateway).toMatchObject({
    reason: { message: expect.stringContaining("Belay does not answer at http://127.0.0.1:9") },
  });
});

test("G1 D10 each belay mcp is a separate conversation, in its client's folder or first root", async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "belay-project-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const root = join(folder, "root of the client");
  await mkdir(root);
  const gateway = await startTestGateway();
  const { token } = await gateway.addAgent();
  const env = { BELAY_URL: gateway.url(), BELAY_TOKEN: token };

  const [plain, withRoots] = await Promise.all([
    connect(env, [], "2025", { cwd: folder }),
    connect(env, [], "2025", { cwd: folder, roots: [pathToFileURL(root).href] }),
  ]);
  await plain.agent.call("terminal", { command: "export WHOSE=mine" });
  const [mine, others] = await Promise.all([
    plain.agent.call("terminal", { command: 'pwd; echo "[$WHOSE]"' }),
    withRoots.agent.call("terminal", { command: 'pwd; echo "[$WHOSE]"' }),
  ]);

  expect(mine.output).toBe(`${folder}\n[mine]`);
  expect(others.output).toBe(`${root}\n[]`);
});

test("G1 belay mcp takes a token or the name of an agent, not both", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "belay-stdio-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));

  const { code, stderr } = await runBelay(dataDir, ["mcp", "--agent", "editor"], ["env", "BELAY_TOKEN=blt_some"]).ended;

  expect(code).toBe(1);
  expect(stderr).toContain("--agent editor");
});

test("G1 a client that cannot be served is told why", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "belay-stdio-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));

  const refused = connect({ BELAY_DATA_DIR: dataDir, BELAY_TOKEN: "blt_some" }, ["--agent", "editor"]);

  await expect(refused).rejects.toThrow("BELAY_TOKEN and --agent editor both choose the agent");
});

test("G1 an empty variable counts as one that is not set", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "belay-stdio-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));

  const { code, stdout } = await runBelay(dataDir, ["start", "--print-config"], ["env", "BELAY_TOKEN=", "BELAY_PORT="])
    .ended;

  expect(code).toBe(0);
  expect(stdout).toContain("7400");
});

async function connect(
  env: Record<string, string>,
  args: string[],
  era: Era = "2025",
  { cwd, roots }: { cwd?: string; roots?: string[] } = {},
) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BELAY, "mcp", "--structured", ...args],
    env: { PATH: process.env.PATH ?? "", BELAY_WORKSPACE: tmpdir(), ...env },
    stderr: "pipe",
    ...(cwd === undefined ? {} : { cwd }),
  });
  let said = "";
  transport.stderr?.on("data", (chunk) => (said += chunk));
  const capabilities = roots === undefined ? {} : { roots: {} };
  const onConnecting = (client: Client) => {
    if (roots) client.setRequestHandler("roots/list", async () => ({ roots: roots.map((uri) => ({ uri })) }));
  };
  const agent = await TestAgent.over(transport, { era, capabilities, onConnecting });
  onTestFinished(() => agent.close());
  return { agent, said: () => said };
}

/** Ends the gateway that it started, which would otherwise keep running after the test. */
async function stopGateway(dataDir: string, said: string): Promise<void> {
  const pid = Number(/process (\d+)/.exec(said)?.[1]);
  process.kill(pid, "SIGTERM");
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
  await endHost(dataDir);
}
