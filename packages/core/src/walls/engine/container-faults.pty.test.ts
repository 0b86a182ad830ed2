import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { findPids } from "../../testing/chaos/processes.ts";
import { abandonContainer } from "../../testing/walls/abandon-container.ts";
import { openTestContainers } from "../../testing/walls/container-image.ts";
import { type GatedRuntime, makeGatedRuntime } from "../../testing/walls/gated-runtime.ts";
import { openTestFolder } from "../../testing/walls/sandbox-pool.ts";
import { testWall } from "../../testing/walls/test-wall.ts";
import { Containers } from "../container.ts";

// Engines take their time on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });
const patience = { timeout: 90_000, interval: 20 };

const containers = openTestContainers();
afterAll(() => containers?.remove());

type Victim = "client" | "monitor" | "runtime" | "all";
type Fault = [stage: "creating" | "created later" | "running", victim: Victim, signal: "SIGKILL" | "SIGSTOP"];

const FAULTS: Fault[] = [
  ["creating", "client", "SIGKILL"],
  ["creating", "client", "SIGSTOP"],
  ["creating", "monitor", "SIGKILL"],
  ["creating", "monitor", "SIGSTOP"],
  ["creating", "runtime", "SIGKILL"],
  ["creating", "runtime", "SIGSTOP"],
  ["creating", "all", "SIGSTOP"],
  ["created later", "client", "SIGKILL"],
  ["running", "client", "SIGKILL"],
  ["running", "client", "SIGSTOP"],
  ["running", "monitor", "SIGKILL"],
  ["running", "monitor", "SIGSTOP"],
  ["running", "all", "SIGSTOP"],
];

interface Started {
  walls: string;
  name: string;
  gate: GatedRuntime;
  client: ChildProcess;
  provider: Containers;
  release: () => void;
  /** What there is of it: processes, then what engine, runtime and Belay know of it. */
  left: () => string[];
}

describe.runIf(containers?.engine.runtime)(
  "C16 a container, once its terminal has closed or the next host runs",
  () => {
    let count = 0;
    const ids = new Map<string, string>();
    const runtime = containers?.engine.runtime ?? "";

    async function start(): Promise<Started> {
      if (!containers) throw new Error("There is an engine.");
      const [own, workspace] = [await openTestFolder(), await openTestFolder()];
      const gate = makeGatedRuntime(own, runtime);
      const { engine, image } = containers;
      const container = { ...engine, runtime: gate.path, image, user: null, readOnlyRoot: true };
      const wall = testWall(workspace, own, { shown: { isolation: "container", network: "none" }, container });
      const walls = join(own, "walls");
      const provider = new Containers(walls);
      const name = `belay-fault-${process.pid}-${count++}`;
      const { argv, env, release } = provider.wrap({
        name,
        argv: ["/bin/bash", "-c", "echo started; sleep 600 & sleep 600"],
        cwd: workspace,
        env: { FAULT: name },
        wall,
        own: { readable: [], writable: [] },
        hasTerminal: false,
      });
      const client = spawn(argv[0], argv.slice(1), { env, stdio: ["ignore", "pipe", "inherit"] });
      onTestFinished(() => void client.kill("SIGKILL"));
      const left = () => {
        const pids = [...findPids("cmdline", name), ...findPids("environ", `FAULT=${name}`)].map(String);
        // A stopped program of the engine blocks all others, so they are asked last.
        if (pids.length > 0) return pids;
        const id = idOf(walls, name);
        return [
          ...ask("podman", ["ps", "-aq", "--filter", `name=${name}`]),
          ...ask(runtime, ["list"]).filter((line) => line.includes(id)),
          ...readdirSync(join(walls, "containers")),
        ];
      };
      return { walls, name, gate, client, provider, release, left };
    }

    async function reach(stage: Fault[0], { gate, client }: Started): Promise<void> {
      await vi.waitFor(() => expect(gate.isCreating()).toBe(true), patience);
      if (stage !== "running") return;
      const started = Promise.race([
        once(client.stdout as Readable, "data"),
        once(client, "exit").then(() => "exited"),
      ]);
      gate.open();
      expect(await started).toEqual([Buffer.from("started\n")]);
    }

    function victimsOf(victim: Victim, { client, walls, name }: Started): number[] {
      const monitors = findPids("cmdline", `conmon\0--api-version`).filter((pid) =>
        findPids("cmdline", join(walls, "containers", `${name}.pid`)).includes(pid),
      );
      const runtimes = findPids("cmdline", idOf(walls, name)).filter((pid) => !monitors.includes(pid));
      const found = { client: [client.pid as number], monitor: monitors, runtime: runtimes };
      return victim === "all" ? Object.values(found).flat() : found[victim];
    }

    it.each(FAULTS.flatMap((fault) => [[...fault, "close"] as const, [...fault, "next host"] as const]))(
      "C16 G6 leaves nothing behind: %s, %s, %s, %s",
      async (stage, victim, signal, ending) => {
        const started = await start();
        await reach(stage, started);
        const victims = victimsOf(victim, started);
        for (const pid of victims) process.kill(pid, signal);
        if (stage === "created later") {
          // The runtime finishes what no program waits for.
          started.gate.open();
          await vi.waitFor(() => expect(stateOf(idOf(started.walls, started.name))).toBe("created"), patience);
        }

        if (ending === "close") {
          started.release();
        } else {
          abandonContainer(started.walls, started.name);
          await new Containers(started.walls).endLeft();
        }

        expect(victims).not.toEqual([]);
        await vi.waitFor(() => expect(started.left()).toEqual([]), patience);
      },
    );

    /** As the engine wrote it; Belay removes that file in the end. */
    function idOf(walls: string, name: string): string {
      const [id] = ask("cat", [join(walls, "containers", `${name}.id`)]);
      if (id !== undefined) ids.set(name, id);
      return ids.get(name) ?? "no id";
    }

    function stateOf(id: string): string {
      return /"status": "(\w+)"/.exec(ask(runtime, ["state", id]).join("\n"))?.[1] ?? "";
    }

    function ask(program: string, args: string[]): string[] {
      const { stdout } = spawnSync(program, args, { encoding: "utf8", timeout: 30_000, killSignal: "SIGKILL" });
      return stdout.split("\n").filter(Boolean);
    }
  },
);
