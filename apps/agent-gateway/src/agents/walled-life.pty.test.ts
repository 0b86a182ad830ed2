import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canRunAs } from "@belay/core/testing";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { runBelay } from "../testing/belay-process.ts";
import { hostPidsOf, pidsRunning } from "../testing/end-host.ts";
import { hasSandbox } from "../testing/sandboxed-gateway.ts";
import { TestAgent } from "../testing/test-agent.ts";

vi.setConfig({ testTimeout: 120_000 });
const patience = { timeout: 40_000, interval: 50 };

interface User {
  name: string;
  /** What runs the program as this user. */
  through: string[];
  uid: number;
}
const SAME: User = { name: "this user", through: [], uid: process.getuid?.() ?? 0 };
const ORDINARY_USER: User = {
  name: "an ordinary user",
  through: ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all"],
  uid: 65_534,
};

let scenes = 0;

/** The built program with an agent in a sandbox, which has a command and daemons running. */
async function openScene({ through, uid }: User) {
  const [dataDir, workspace] = ["data", "work"].map((name) => {
    const folder = mkdtempSync(join(tmpdir(), `belay-${name}-`));
    chownSync(folder, uid, uid);
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  }) as [string, string];
  chmodSync(workspace, 0o755);
  const policy = join(dataDir, "security.json");
  writeFileSync(policy, JSON.stringify({ isolation: "sandbox" }));
  chownSync(policy, uid, uid);
  const belay = (...args: string[]) => runBelay(dataDir, args, ["env", `BELAY_WORKSPACE=${workspace}`, ...through]);
  const json = async (...args: string[]) => {
    const { stdout, stderr } = await belay(...args, "--json").ended;
    expect(stderr).toBe("");
    return JSON.parse(stdout);
  };
  // An unusual number of seconds, by which its processes are found.
  const seconds = String(200_000 + process.pid + ++scenes);
  let gateway = belay("start");
  let url = await gateway.ready;
  const { token } = (await json("agent", "add", "tester")) as { token: string };
  const connect = async () => {
    const agent = await TestAgent.connect(url, token);
    onTestFinished(() => agent.close());
    return agent;
  };
  return {
    dataDir,
    workspace,
    json,
    connect,
    daemons: () => pidsRunning(["sleep", seconds]),
    /** Processes of the sandbox and of its network, wherever they are in the tree. */
    walls: () => pidsMentioning(dataDir).filter((pid) => nameOf(pid) === "bwrap"),
    begin: async () => {
      writeFileSync(
        join(workspace, "work.sh"),
        `setsid sleep ${seconds} & env -i setsid nohup sleep ${seconds} > /dev/null 2>&1 &\nuntil [ -e go ]; do sleep 0.02; done; echo ended; exit 7\n`,
      );
      const reply = await (await connect()).call("terminal", { command: "bash work.sh", background: true });
      await vi.waitFor(() => expect(pidsRunning(["sleep", seconds])).toHaveLength(2), patience);
      return String(reply.handle_id);
    },
    kill: async () => {
      gateway.child.kill("SIGKILL");
      await gateway.ended;
    },
    stop: async () => {
      gateway.child.kill("SIGTERM");
      await gateway.ended;
    },
    restart: async () => {
      gateway = belay("start");
      url = await gateway.ready;
    },
    killHost: () => {
      for (const pid of hostPidsOf(dataDir)) process.kill(pid, "SIGKILL");
    },
  };
}

describe.runIf(hasSandbox).each([SAME, ORDINARY_USER])("C4 G6 a sandbox of $name", (user) => {
  test.skipIf(!canRunAs(user.through))(
    "outlives a killed gateway, and leaves nothing when the host is killed",
    async () => {
      const scene = await openScene(user);
      const handle = await scene.begin();

      await scene.kill();
      await scene.restart();

      expect(scene.daemons()).toHaveLength(2);
      writeFileSync(join(scene.workspace, "go"), "");
      const agent = await scene.connect();
      const ended = await agent.call("terminal", { handle_id: handle, wait_ms: 40_000 });
      expect(ended).toMatchObject({ state: "completed", exit_code: 7, output: "ended" });
      const rights = await agent.call("terminal", {
        command: "grep -hE '^(CapEff|NoNewPrivs)' /proc/self/status; ls /home",
      });
      expect(rights.output).toMatch(/^CapEff:\s+0+\nNoNewPrivs:\s+1\n.*cannot access '\/home'/);
      // The network is still there, and the new gateway is the one that asks.
      await agent.call("terminal", { command: "curl -sS http://belay-none.invalid/", background: true });
      await vi.waitFor(async () => {
        const questions = JSON.stringify(await scene.json("approvals", "list"));
        expect(questions).toContain("connect-to belay-none.invalid:80");
      }, patience);
      expect(await scene.json("doctor")).toMatchObject({
        machine: expect.arrayContaining([expect.objectContaining({ id: "sandbox", status: "ready" })]),
      });

      expect(scene.walls()).not.toEqual([]);
      scene.killHost();

      await vi.waitFor(() => expect([...scene.daemons(), ...scene.walls()]).toEqual([]), patience);
      await vi.waitFor(async () => {
        const again = await agent.call("terminal", { command: "echo again" });
        expect(again).toMatchObject({ output: "again", exit_code: 0 });
      }, patience);
      // The killed host could not remove its placeholders for protected names; the next one does, when it ends.
      expect(readdirSync(scene.workspace)).toContain(".mcp.json");
      await scene.stop();
      await vi.waitFor(() => expect(readdirSync(scene.workspace).sort()).toEqual(["go", "work.sh"]), patience);
    },
  );
});

function pidsMentioning(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => read(pid, "cmdline").includes(text))
    .map(Number);
}

function nameOf(pid: number): string {
  return read(String(pid), "comm").trim();
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return ""; // It ended.
  }
}
