import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { AgentId } from "@belay/protocol";
import { afterAll, describe, expect, it, vi } from "vitest";
import { wallsDirOf } from "../host/local-host.ts";
import { findPids } from "../testing/chaos/processes.ts";
import { useRemoteHost } from "../testing/use-remote-host.ts";
import { openTestContainers } from "../testing/walls/container-image.ts";
import { makeGatedRuntime } from "../testing/walls/gated-runtime.ts";
import { openTestFolder } from "../testing/walls/sandbox-pool.ts";
import { testWall } from "../testing/walls/test-wall.ts";

// Engines take their time on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });
const patience = { timeout: 90_000, interval: 200 };

const containers = openTestContainers();
afterAll(() => containers?.remove());

describe.runIf(containers)("C16 G6 a host that is killed with containers", () => {
  const test = useRemoteHost();

  it("C16 G6 leaves neither the one in use nor the one that was started ahead, once the next host runs", async () => {
    if (!containers) throw new Error("There is an engine.");
    const { engine, image } = containers;
    const workspace = await openTestFolder();
    const own = wallsDirOf(test.folder.dataDir);
    const wall = testWall(workspace, own, {
      shown: { isolation: "container", network: "none" },
      reserved: [`${workspace}/.mcp.json`],
      container: { ...engine, image, user: null, readOnlyRoot: true, startAhead: true },
    });
    const list = () =>
      spawnSync("podman", ["ps", "-a", "--filter", `volume=${workspace}`, "--format", "{{.Names}}"], {
        encoding: "utf8",
      })
        .stdout.split("\n")
        .filter(Boolean);
    const request = { cwd: workspace, provider: "container", wall };
    await test.spawn({ ...request, agentId: AgentId.parse("agt-ahead") });
    await vi.waitFor(() => expect(list()).toHaveLength(2), patience);
    const names = list();
    const isReserved = existsSync(join(workspace, ".mcp.json"));

    process.kill(test.hostPid(), "SIGKILL");
    // The next host is started when terminals are needed.
    await vi.waitFor(async () => expect(await test.host.terminals.list()).toEqual([]), patience);
    const next = await test.spawn({ ...request, agentId: AgentId.parse("agt-next") });

    expect(isReserved).toBe(true);
    await vi.waitFor(() => expect(list().filter((name) => names.includes(name))).toEqual([]), patience);
    // Nor does a program that watched or showed one of them.
    await vi.waitFor(() => expect(names.flatMap((name) => findPids("cmdline", name))).toEqual([]), patience);
    await test.host.terminals.kill(next.id, { reason: "killed" });
    await vi.waitFor(() => expect(list()).toEqual([]), patience);
    await vi.waitFor(() => expect(existsSync(join(workspace, ".mcp.json"))).toBe(false), patience);
  });

  it.runIf(containers?.engine.runtime)("C16 G6 leaves nothing of one that was still being created", async () => {
    if (!containers?.engine.runtime) throw new Error("There is an engine.");
    const { engine, image } = containers;
    const [workspace, gateFolder] = [await openTestFolder(), await openTestFolder()];
    const gate = makeGatedRuntime(gateFolder, containers.engine.runtime);
    const own = wallsDirOf(test.folder.dataDir);
    const wall = testWall(workspace, own, {
      shown: { isolation: "container", network: "none" },
      container: { ...engine, runtime: gate.path, image, user: null, readOnlyRoot: true },
    });
    const request = { cwd: workspace, provider: "container", wall, agentId: AgentId.parse("agt-creating") };
    const opening = test.spawn(request).catch(() => null);
    await vi.waitFor(() => expect(gate.isCreating()).toBe(true), patience);
    const name = readdirSync(join(own, "containers"))
      .find((file) => file.endsWith(".json"))
      ?.slice(0, -5);

    process.kill(test.hostPid(), "SIGKILL");
    // The runtime goes on, although the program that waits for it is killed with the host.
    gate.open();
    await opening;
    await vi.waitFor(async () => expect(await test.host.terminals.list()).toEqual([]), patience);

    expect(name).toMatch(/^belay-pty-/);
    await vi.waitFor(() => expect(findPids("cmdline", name ?? "")).toEqual([]), patience);
    await vi.waitFor(() => expect(readdirSync(join(own, "containers"))).toEqual([]), patience);
    const known = spawnSync("podman", ["ps", "-aq", "--filter", `name=${name}`], { encoding: "utf8", timeout: 60_000 });
    expect(known.stdout).toBe("");
  });
});
