import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { buildLibrary, canBuildLibraries } from "../testing/preloaded-library.ts";
import { openTestContainers } from "../testing/walls/container-image.ts";
import { hasSandbox } from "../testing/walls/sandbox.ts";
import { openSandboxPool, openTestFolder } from "../testing/walls/sandbox-pool.ts";
import { startSwapper } from "../testing/walls/swapper.ts";
import { testWall } from "../testing/walls/test-wall.ts";
import { Bubblewrap } from "./bubblewrap.ts";
import { canBindDescriptors } from "./bwrap-options.ts";
import { Containers } from "./container.ts";
import type { Wall } from "./wall.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const containers = openTestContainers();
afterAll(() => containers?.remove());

const engine = (): Partial<Wall> => ({
  shown: { isolation: "container", network: "none" },
  ...(containers && { container: { ...containers.engine, image: containers.image, user: null, readOnlyRoot: true } }),
});
const WALLS = [
  {
    name: "bubblewrap",
    isHere: hasSandbox,
    wall: () => ({}),
    make: (folder: string) => new Bubblewrap(folder),
    tries: 60,
  },
  {
    name: "container",
    isHere: containers !== null,
    wall: engine,
    make: (folder: string) => new Containers(folder),
    tries: 15,
  },
];

describe.each(WALLS)("what builds a wall ($name)", ({ name, isHere, wall, make, tries }) => {
  it.runIf(isHere && canBuildLibraries)("C4 has none of the variables that an agent gives its program", async () => {
    const [outside, test] = [
      await openTestFolder(),
      await openSandboxPool(wall(), { provider: name, make: (folder) => make(folder).provider }),
    ];
    const library = join(test.workspace, "library.so");
    buildLibrary(library);
    const outsideFile = join(outside, "escaped");
    const insideFile = join(test.workspace, "loaded");

    const plain = spawnSync("/bin/true", [], { env: { LD_PRELOAD: library, WRITES_TO: join(outside, "control") } });
    for (const file of [outsideFile, insideFile]) {
      const { id } = await test.spawn({ env: { LD_PRELOAD: library, WRITES_TO: file, SPACES: "a  b\nc" } });
      expect(await test.outputOf(await test.run(id, 'echo "$SPACES"'))).toBe("a  b\r\nc\r\n");
    }

    expect(plain.status).toBe(0);
    expect(existsSync(join(outside, "control"))).toBe(true);
    expect(existsSync(insideFile)).toBe(true);
    expect(existsSync(outsideFile)).toBe(false);
  });

  it.runIf(isHere)("C4 mounts nothing of elsewhere when a folder is swapped for a link meanwhile", async () => {
    const [own, workspace, outside] = [await openTestFolder(), await openTestFolder(), await openTestFolder()];
    writeFileSync(join(outside, "key"), "a secret key");
    mkdirSync(join(workspace, ".git"));
    symlinkSync(outside, join(workspace, "other"));
    const swapper = startSwapper(join(workspace, ".git"), join(workspace, "other"));
    const provider = make(join(own, "walls"));
    const script = "cat .git/key; echo x > .git/written; echo ran";
    const outcomes = { ran: 0, escaped: 0, refused: 0 };

    for (let count = 0; count < tries; count++) {
      const spec = testWall(workspace, own, { ...wall(), reserved: [`${workspace}/.git/hooks/`] });
      const request = {
        name: `belay-swap-${process.pid}-${count}`,
        argv: ["/bin/bash", "-c", script] as [string, ...string[]],
        cwd: workspace,
        env: {},
        wall: spec,
        own: { readable: [], writable: [] },
        hasTerminal: false,
      };
      try {
        const { argv, env, release } = provider.wrap(request);
        const { stdout } = spawnSync(argv[0], argv.slice(1), { env, encoding: "utf8" });
        release();
        outcomes[stdout.includes("secret") ? "escaped" : stdout.includes("ran") ? "ran" : "refused"] += 1;
      } catch {
        outcomes.refused += 1;
      }
    }
    swapper.stop();

    expect(outcomes.escaped).toBe(0);
    // An engine, and an older bubblewrap, mount by path: they may create a mount point before that is noticed.
    const mayLeave = name === "bubblewrap" && canBindDescriptors() ? [] : ["hooks"];
    expect(readdirSync(outside, { recursive: true }).filter((found) => !mayLeave.includes(String(found)))).toEqual([
      "key",
    ]);
    // The real folder has one of the two names now. No placeholder is left in it.
    const real = [".git", "other"].find((folder) => !lstatSync(join(workspace, folder)).isSymbolicLink()) ?? "";
    expect(readdirSync(join(workspace, real))).toEqual(outcomes.ran > 0 ? ["written"] : []);
    expect(outcomes.ran + outcomes.refused).toBe(tries);
  });

  it.runIf(isHere)("C4 git ignores placeholders, but not a protected file with content", async () => {
    const [own, workspace] = [await openTestFolder(), await openTestFolder()];
    spawnSync("git", ["init", "--quiet", workspace]);
    writeFileSync(join(workspace, ".mcp.json"), "{}");
    writeFileSync(join(workspace, "work"), "done");
    const reserved = [".env", ".mcp.json", ".vscode/"].map((path) => `${workspace}/${path}`);
    const { argv, env, release } = make(join(own, "walls")).wrap({
      name: `belay-ignore-${process.pid}`,
      argv: ["/bin/bash", "-c", 'cat "$GIT_CONFIG_VALUE_0"; command -v git >/dev/null && git add --all; true'],
      cwd: workspace,
      env: { PATH: "/usr/bin:/bin" },
      wall: testWall(workspace, own, { ...wall(), reserved }),
      own: { readable: [], writable: [] },
      hasTerminal: false,
    });
    const { stdout } = spawnSync(argv[0], argv.slice(1), { env, encoding: "utf8" });
    const added = spawnSync("git", ["-C", workspace, "diff", "--cached", "--name-only"], { encoding: "utf8" }).stdout;
    release();

    expect(stdout).toBe("/.env\n");
    // The image of the containers has no git.
    if (name === "bubblewrap") expect(added).toBe(".mcp.json\nwork\n");
    expect(readdirSync(workspace).sort()).toEqual([".git", ".mcp.json", "work"]);
  });
});
