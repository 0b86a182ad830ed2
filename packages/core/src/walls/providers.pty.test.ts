import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AgentId } from "@belay/protocol";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Provider } from "../pty/providers.ts";
import { describeProvider, type OpenProviderPool } from "../testing/contracts/provider-contract.ts";
import { describePty } from "../testing/contracts/pty-contract.ts";
import { openObedient } from "../testing/obedient-program.ts";
import { openTestPool } from "../testing/test-pool.ts";
import { abandonContainer } from "../testing/walls/abandon-container.ts";
import { openTestContainers } from "../testing/walls/container-image.ts";
import { hasSandbox } from "../testing/walls/sandbox.ts";
import { openSandboxPool, openTestFolder } from "../testing/walls/sandbox-pool.ts";
import { testWall } from "../testing/walls/test-wall.ts";
import { Bubblewrap } from "./bubblewrap.ts";
import { Containers } from "./container.ts";
import type { Wall } from "./wall.ts";

// Several of these start an engine, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** Keeps the promises of a pty, behind a wall. */
function describeWalledPty(name: string, makeProvider: (folder: string) => Provider, wall: () => Partial<Wall>): void {
  describePty(name, async (events) => {
    const own = await openTestFolder();
    const workspace = await openTestFolder();
    const provider = makeProvider(own);
    return openObedient(
      (argv, told) =>
        provider.openPty(
          {
            argv,
            cwd: workspace,
            env: { PATH: "/usr/bin:/bin", LANG: "C.UTF-8" },
            cols: 80,
            rows: 24,
            name: `belay-contract-${process.pid}-${++count}`,
            wall: { spec: testWall(workspace, own, wall()), own: { readable: [], writable: [] } },
          },
          told,
        ),
      events,
    );
  });
}
let count = 0;

const openLocal: OpenProviderPool = async () => {
  const test = await openTestPool();
  onTestFinished(() => test.close());
  return { ...test, workspace: test.folder };
};
describeProvider("local", openLocal);

describe.runIf(hasSandbox)("bubblewrap", () => {
  describeWalledPty(
    "bubblewrap",
    (folder) => new Bubblewrap(folder).provider,
    () => ({}),
  );
  describeProvider("bubblewrap", () => openSandboxPool());
});

const containers = openTestContainers();
afterAll(() => containers?.remove());

describe.runIf(containers)("C16 containers", () => {
  const wall = (): Partial<Wall> => ({
    shown: { isolation: "container", network: "none" },
    ...(containers && {
      container: { ...containers.engine, image: containers.image, user: null, readOnlyRoot: true },
    }),
  });
  const open = (overrides: Partial<Wall> = {}) =>
    openSandboxPool(
      { ...wall(), ...overrides },
      { provider: "container", make: (folder) => new Containers(folder).provider },
    );
  const running = (workspace: string) =>
    spawnSync("podman", ["ps", "-aq", "--filter", `volume=${workspace}`], { encoding: "utf8" }).stdout.trim();

  describeWalledPty("a container", (folder) => new Containers(folder).provider, wall);
  describeProvider("a container", open);

  it("C16 has its own root, read-only, no rights, and of the machine only what the wall lets in", async () => {
    const test = await open();
    writeFileSync(join(test.workspace, ".env"), "SECRET=1");
    const frozen = join(test.workspace, ".env");
    const walled = await open({
      frozen: [frozen],
      reserved: [`${test.workspace}/.mcp.json`],
      writable: [test.workspace],
    });
    const { id } = await walled.spawn({ cwd: test.workspace });
    const say = async (line: string) => (await walled.outputOf(await walled.run(id, line))).trim();

    expect(await say("echo x > /usr/made 2>&1 || echo kept")).toContain("kept");
    expect(await say("echo x > /tmp/made && echo made")).toBe("made");
    expect(await say("echo x >> .env 2>&1 || echo kept")).toContain("kept");
    expect(await say("echo x > .mcp.json 2>&1 || echo kept")).toContain("kept");
    expect(await say("grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status | tr -d '\\t'")).toBe(
      "CapEff:0000000000000000\r\nCapBnd:0000000000000000\r\nNoNewPrivs:1\r\nSeccomp:2",
    );
    expect(await say("ls /work /home /var/lib 2>&1 | grep -c cannot")).not.toBe("0");
    expect(await say("cat /proc/net/dev | grep -c :")).toBe("1");
  });

  it("C16 runs what is asked for, whatever the image would start, and the engine keeps no copy of the output", async () => {
    const { container } = wall();
    if (!container) throw new Error("There is an engine.");
    const image = `${container.image.replace(/:1$/, "")}-entry:1`;
    const folder = await openTestFolder();
    writeFileSync(join(folder, "Containerfile"), `FROM ${container.image}\nENTRYPOINT ["/bin/printf", "other"]\n`);
    const runtime = container.runtime === null ? [] : ["--runtime", container.runtime];
    const built = spawnSync("podman", ["build", ...runtime, "-q", "-t", image, folder], { encoding: "utf8" });
    onTestFinished(() => void spawnSync("podman", ["rmi", "-f", image]));
    expect(built.stderr).toBe("");
    const test = await open({ container: { ...container, image } });
    const { id } = await test.spawn();

    const made = await test.outputOf(
      await test.run(id, "printf '#!/bin/sh\\necho ran' > /tmp/x; chmod +x /tmp/x; /tmp/x"),
    );
    const format = "{{.HostConfig.LogConfig.Type}}";
    const kept = spawnSync("podman", ["inspect", "--format", format, running(test.workspace)], { encoding: "utf8" });

    expect(made).toBe("ran\r\n");
    expect(kept.stdout.trim()).toBe("none");
  });

  it("C16 of the next terminal is started ahead where that is wanted, used once, and removed with the last one", {
    timeout: 120_000,
  }, async () => {
    const { container } = wall();
    const test = await open({ ...(container && { container: { ...container, startAhead: true } }) });
    const names = () =>
      spawnSync("podman", ["ps", "--filter", `volume=${test.workspace}`, "--format", "{{.Names}}"], {
        encoding: "utf8",
      })
        .stdout.trim()
        .split("\n");
    const agentId = AgentId.parse("agt-ahead");
    mkdirSync(join(test.workspace, "sub"));

    const one = await test.spawn({ agentId });
    await vi.waitFor(() => expect(names()).toHaveLength(2), { timeout: 60_000, interval: 200 });
    const before = names();
    const isListed = (await test.pool.list()).length;
    const two = await test.spawn({ agentId, cwd: join(test.workspace, "sub"), env: { WISH: "granted" }, cols: 99 });
    const said = await test.outputOf(await test.run(two.id, "pwd; echo $WISH; stty size; [ -t 0 ] && echo tty"));
    const other = await test.spawn({ agentId: AgentId.parse("agt-other") });

    expect(isListed).toBe(1);
    expect(before.some((name) => name.startsWith(`belay-${two.id}-`))).toBe(true);
    expect(before.some((name) => name.startsWith(`belay-${other.id}-`))).toBe(false);
    expect(said).toBe(`${test.workspace}/sub\r\ngranted\r\n24 99\r\ntty\r\n`);
    for (const { id } of [one, two, other]) await test.pool.kill(id, { reason: "killed" });
    await vi.waitFor(() => expect(running(test.workspace)).toBe(""), { timeout: 60_000, interval: 200 });
  });

  it("C16 is removed with its terminal, and after the death of the program that shows it", async () => {
    const test = await open();
    const one = await test.spawn();
    const two = await test.spawn();
    await test.run(one.id, "true");
    await test.run(two.id, "sleep 600 &");
    expect(running(test.workspace).split("\n")).toHaveLength(2);

    await test.pool.kill(one.id, { reason: "killed" });
    const shows = spawnSync("pgrep", ["-f", `podman.*${two.id}-.*${test.workspace}`], { encoding: "utf8" }).stdout;
    for (const pid of shows.split("\n").filter(Boolean)) process.kill(Number(pid), "SIGKILL");

    await vi.waitFor(() => expect(running(test.workspace)).toBe(""), { timeout: 30_000 });
  });

  it("C16 what a killed host left is found by its record and removed, and what a living one has is not", async () => {
    const folder = await openTestFolder();
    const workspace = await openTestFolder();
    const name = `belay-left-${process.pid}`;
    const { argv, env } = new Containers(folder).wrap({
      name,
      argv: ["/bin/sleep", "600"],
      cwd: workspace,
      env: {},
      wall: testWall(workspace, folder, wall()),
      own: { readable: [], writable: [] },
      hasTerminal: false,
    });
    // As a host does that is killed before it can release anything.
    spawnSync(argv[0], [...argv.slice(1, argv.indexOf("run")), "run", "-d", ...argv.slice(argv.indexOf("run") + 1)], {
      env,
    });
    expect(running(workspace)).not.toBe("");

    await new Containers(folder).endLeft();
    const whileOwned = running(workspace);
    abandonContainer(folder, name);
    await new Containers(folder).endLeft();

    expect(whileOwned).not.toBe("");
    expect(running(workspace)).toBe("");
  });
});
