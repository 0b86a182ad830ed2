import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApprovalId } from "@belay/protocol";
import { createTRPCClient, httpLink } from "@trpc/client";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { AppRouter } from "../doors/trpc/router.ts";
import { runBelay } from "../testing/belay-process.ts";
import { hostPidsOf, pidsRunning } from "../testing/end-host.ts";
import { hasSandbox } from "../testing/sandboxed-gateway.ts";
import { signIn } from "../testing/start-test-gateway.ts";
import { TestAgent } from "../testing/test-agent.ts";

vi.setConfig({ testTimeout: 60_000 });
const patience = { timeout: 30_000, interval: 50 };

const ADMIN = { email: "admin@belay.test", password: "correct horse battery" };

const CONNECT = `exec 3<>/dev/tcp/127.0.0.1/3128
printf 'CONNECT belay-none.invalid:443 HTTP/1.1\\r\\n\\r\\n' >&3
read -r _ status _ <&3
echo "answered $status"
`;

/** The built program, and an agent whose program waits for an answer about a connection. */
async function openScene({ toolset }: { toolset?: string } = {}) {
  const [dataDir, workspace] = ["data", "work"].map((name) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), `belay-${name}-`)));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  }) as [string, string];
  writeFileSync(join(dataDir, "security.json"), JSON.stringify({ isolation: "sandbox" }));
  // A name of its own, by which its processes are found.
  const script = `connect-${process.pid}-${Math.round(performance.now())}.sh`;
  writeFileSync(join(workspace, script), CONNECT);
  const belay = (...args: string[]) =>
    runBelay(dataDir, args, [], undefined, {
      BELAY_WORKSPACE: workspace,
      BELAY_ADMIN_EMAIL: ADMIN.email,
      BELAY_ADMIN_PASSWORD: ADMIN.password,
    });
  const json = async (...args: string[]) => {
    const { stdout, stderr } = await belay(...args, "--json").ended;
    expect(stderr).toBe("");
    return JSON.parse(stdout);
  };
  let gateway = belay("start");
  await gateway.ready;
  const { token } = await json("agent", "add", "tester");
  const connect = async () => {
    const agent = await TestAgent.connect(await gateway.ready, token, toolset);
    onTestFinished(() => agent.close());
    return agent;
  };
  const agent = await connect();
  const command = `bash ${script}`;
  const reply = toolset ? agent.call("bash", { command }) : agent.call("terminal", { command, background: true });
  const questions = async () =>
    (
      (await json("approvals", "list", "--all")) as { id: ApprovalId; subject: { text: string }; state: object }[]
    ).filter(({ subject }) => subject.text === "connect-to belay-none.invalid:443");
  const state = async () => (await questions())[0]?.state;
  await vi.waitFor(async () => expect(await state()).toMatchObject({ status: "pending" }), patience);
  return {
    connect,
    state,
    deny: async () => {
      const [url, [question]] = [await gateway.ready, await questions()];
      const headers = { cookie: await signIn(url, ADMIN) };
      const client = createTRPCClient<AppRouter>({ links: [httpLink({ url: `${url}/trpc`, headers })] });
      await client.approvals.decide.mutate({ id: question?.id ?? "apr-none", decision: "deny" });
    },
    handle: async () => String((await reply).handle_id),
    program: () => pidsRunning(["bash", script]),
    hosts: () => hostPidsOf(dataDir),
    kill: async () => {
      gateway.child.kill("SIGKILL");
      await gateway.ended;
    },
    restart: async () => {
      gateway = belay("start");
      await gateway.ready;
    },
  };
}

function end(pids: readonly number[]): void {
  expect(pids).not.toEqual([]);
  for (const pid of pids) process.kill(pid, "SIGKILL");
}

describe.runIf(hasSandbox)("C4 W3 G6 a question about a connection, after the gateway was killed", () => {
  test("is still there, and its answer reaches the program that waits", async () => {
    const scene = await openScene();
    const handle = await scene.handle();

    await scene.kill();
    await scene.restart();
    const state = await scene.state();
    await scene.deny();
    const agent = await scene.connect();
    const ended = await agent.call("terminal", { handle_id: handle, wait_ms: 20_000 });

    expect(state).toMatchObject({ status: "pending" });
    expect(ended).toMatchObject({ output: "answered 403", exit_code: 0 });
  });

  test("is withdrawn if its program ended meanwhile", async () => {
    const scene = await openScene();

    await scene.kill();
    end(scene.program());
    await scene.restart();

    await vi.waitFor(async () => expect(await scene.state()).toMatchObject({ status: "withdrawn" }), patience);
  });

  test("is withdrawn if its terminal was lost meanwhile", async () => {
    const scene = await openScene();

    await scene.kill();
    end(scene.hosts());
    await scene.restart();

    await vi.waitFor(async () => expect(await scene.state()).toMatchObject({ status: "withdrawn" }), patience);
  });

  test("is withdrawn if it was a single command's, which ended with the gateway", async () => {
    const scene = await openScene({ toolset: "sessions" });

    await scene.kill();
    await scene.restart();

    await vi.waitFor(async () => expect(await scene.state()).toMatchObject({ status: "withdrawn" }), patience);
  });
});
