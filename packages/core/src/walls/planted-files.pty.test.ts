import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AgentId } from "@belay/protocol";
import { afterAll, describe, expect, it, vi } from "vitest";
import { makeDeepTree } from "../testing/deep-tree.ts";
import { openTestContainers } from "../testing/walls/container-image.ts";
import { listEverything, PLANTS, plant } from "../testing/walls/plant.ts";
import { hasSandbox } from "../testing/walls/sandbox.ts";
import { openSandboxPool, openTestFolder } from "../testing/walls/sandbox-pool.ts";
import { Bubblewrap } from "./bubblewrap.ts";
import { Containers } from "./container.ts";
import type { Wall } from "./wall.ts";
import { namesInWallHome, planToWall } from "./wall-plan.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const containers = openTestContainers();
afterAll(() => containers?.remove());

const PROVIDERS = [
  {
    name: "bubblewrap",
    isHere: hasSandbox,
    make: (folder: string) => new Bubblewrap(folder).provider,
    wall: {},
    places: {
      reserved: [".env", ".vscode", ".git", ".git/hooks"],
      others: [".env.local", ".git/config", ".gitignore", ".vscode/tasks.json", "gradle"],
    },
  },
  {
    name: "container",
    isHere: containers !== null,
    make: (folder: string) => new Containers(folder).provider,
    wall: {
      shown: { isolation: "container", network: "none" },
      ...(containers && {
        container: { ...containers.engine, image: containers.image, user: null, readOnlyRoot: true },
      }),
    } satisfies Partial<Wall>,
    // Each takes an engine's time, and what is mounted is the same.
    places: { reserved: [".env"], others: [".git/config"] },
  },
];

/** As the default policy has them. */
const FROZEN = [".env", ".env.*", "*.pem", "*.key", ".yarnrc*", ".mcp.json", ".vscode", "gradle/wrapper"];
const RESERVED = [".env", ".mcp.json", ".vscode/", ".git/hooks/"];

const ODD_NAMES = [".env.a\nb", '.env.a"b,c', ".env.a'$(touch x)\\"];

describe.each(PROVIDERS)("what an agent can leave in its workspace ($name)", ({ name, isHere, make, wall, places }) => {
  /** Opens a terminal there, as the next one of the agent: whether it runs, or why not. */
  async function open(workspace: string): Promise<string> {
    const test = await openSandboxPool(wall, { provider: name, make });
    try {
      const spec = wallOf(workspace, test.folder, wall);
      const { id } = await test.spawn({ cwd: workspace, wall: spec });
      const report = await test.run(id, "echo ru''ns");
      const { text } = await test.pool.history(id, 65_536);
      return report.exitCode === 0 ? "runs" : text;
    } catch (error) {
      return (error as Error).message;
    } finally {
      await test.close();
    }
  }

  // A link in place of a reserved name could be replaced; elsewhere it protects nothing, and is left alone.
  it
    .runIf(isHere)
    .each([
      ...places.reserved.flatMap((place) =>
        PLANTS.map((kind) => ({ place, kind, isRefused: kind.startsWith("link") })),
      ),
      ...places.others.flatMap((place) => PLANTS.map((kind) => ({ place, kind, isRefused: false }))),
      ...ODD_NAMES.map((place) => ({ place, kind: "pipe" as const, isRefused: false })),
    ])("C4 a terminal starts or is refused with a sentence: $place is a $kind", async ({ place, kind, isRefused }) => {
    const [workspace, outside] = [await openTestFolder(), await openTestFolder()];
    writeFileSync(join(outside, "key"), "a secret key");
    await plant(kind, join(workspace, place), outside);
    const before = listEverything(workspace, outside);

    const outcome = await open(workspace);

    expect(outcome).toBe(
      isRefused
        ? `"${join(workspace, place)}" is a link, and a wall cannot keep a link from being replaced. Nothing was started. Put the file or folder itself there, or remove the name from protectedPaths in security.json.`
        : "runs",
    );
    // An engine removes what it made a moment after it has ended.
    await vi.waitFor(() => expect(listEverything(workspace, outside)).toEqual(before), 30_000);
  });

  it.runIf(isHere)("C4 names with quotes, commas and line breaks are protected like any other", async () => {
    const test = await openSandboxPool(wall, { provider: name, make });
    for (const file of ODD_NAMES) writeFileSync(join(test.workspace, file), "kept");
    const { id } = await test.spawn({ wall: wallOf(test.workspace, test.folder, wall) });

    await test.run(id, 'for file in .env.?*; do echo changed > "$file"; done 2>/dev/null; rm -f .env.?*');

    expect(readdirSync(test.workspace).sort()).toEqual([".env", ".mcp.json", ".vscode", ...ODD_NAMES].sort());
    await test.close();
    expect(spawnSync("cat", ODD_NAMES, { cwd: test.workspace, encoding: "utf8" }).stdout).toBe("keptkeptkept");
  });

  it.runIf(isHere)(
    "C4 names that are not UTF-8, and trees deeper than a path can be long, are in no one's way",
    async () => {
      const [workspace, outside] = [await openTestFolder(), await openTestFolder()];
      spawnSync("bash", ["-c", "echo x > $'.env.\\xff'"], { cwd: workspace });
      makeDeepTree(join(workspace, ".vscode"));
      const before = listEverything(workspace, outside);

      const outcome = await open(workspace);

      expect(outcome).toBe("runs");
      await vi.waitFor(() => expect(listEverything(workspace, outside)).toEqual(before), 30_000);
      spawnSync("rm", ["-rf", workspace]);
    },
  );
});

it.runIf(hasSandbox)(
  "C4 a workspace with a hundred thousand files is like any other, and an error if they are protected",
  async () => {
    const test = await openSandboxPool();
    for (let count = 0; count < 100_000; count++) writeFileSync(join(test.workspace, `.env.${count}`), "");
    const wall = (frozen: string[]) => wallOf(test.workspace, test.folder, { frozen });

    // Without a limit a terminal took 40 seconds to fail, and no other could do anything meanwhile.
    expect(() => wall(FROZEN)).toThrow(
      /^The workspace has more than 256 protected files directly in it, such as ".*\.env\.\d+", which is more/,
    );
    const { id } = await test.spawn({ wall: wall(FROZEN.filter((name) => name !== ".env.*")) });
    expect(await test.run(id, "true")).toMatchObject({ state: "completed", exitCode: 0 });

    // In a quarter of the time that Node needs.
    spawnSync("find", [test.workspace, "-name", ".env.*", "-delete"]);
  },
);

describe.runIf(hasSandbox)("between two terminals", () => {
  it("C4 what an agent puts where its next terminal is built is handled like any other", async () => {
    const [workspace, outside] = [await openTestFolder(), await openTestFolder()];
    const test = await openSandboxPool({ writable: [workspace] });
    const spec = () => wallOf(workspace, test.folder, {});
    const first = await test.spawn({ cwd: workspace, wall: spec() });

    // Not a repository yet, so nothing is reserved in it until the next terminal.
    await test.run(first.id, `mkdir .git && ln -s ${outside} .git/hooks && mkfifo .gitignore .git/config`);
    const refused = await test.spawn({ cwd: workspace, wall: spec() }).catch((error: Error) => error.message);
    await test.run(first.id, "unlink .git/hooks; mkfifo .git/hooks");
    const second = await test.spawn({ cwd: workspace, wall: spec() });
    const report = await test.run(second.id, "rm -f .git/hooks; mv .git other; ls -A");

    expect(refused).toContain('.git/hooks" is a link');
    expect(await test.outputOf(report)).toContain(".git");
    for (const { id } of [first, second]) await test.pool.kill(id, { reason: "killed" });
    expect(readdirSync(workspace).sort()).toEqual([".git", ".gitignore"]);
    expect(readdirSync(outside)).toEqual([]);
  });

  it("C4 a .git file, as a worktree has, cannot be replaced by a folder with hooks", async () => {
    const test = await openSandboxPool();
    writeFileSync(join(test.workspace, ".git"), "gitdir: /nowhere/at-all\n");
    const { id } = await test.spawn({ wall: wallOf(test.workspace, test.folder, {}) });

    const report = await test.run(id, "rm -f .git; mkdir -p .git/hooks; cat .git");

    expect(await test.outputOf(report)).toContain("gitdir: /nowhere/at-all");
  });
});

describe.runIf(hasSandbox)("the home of an agent behind its wall", () => {
  const agentId = AgentId.parse("agt-home");
  const home = (walls: string) => join(walls, "homes", agentId);

  const CONFIGS: [what: string, make: (path: string) => void, names: string[] | null][] = [
    ["nothing", () => {}, [".bashrc"]],
    ["a folder", (path) => void mkdirSync(join(path, "gh"), { recursive: true }), [".bashrc", ".config", ".config/gh"]],
    ["a pipe", (path) => void spawnSync("mkfifo", [path]), null],
    // Behind the wall it leads to a folder that only programs there see.
    ["a link", (path) => void spawnSync("ln", ["-s", "/tmp/elsewhere", path]), null],
    ["a link to itself", (path) => void spawnSync("ln", ["-s", path, path]), null],
  ];
  it.each(CONFIGS)("C4 is known, or known not to be known, if its .config is %s", async (_, make, names) => {
    const walls = await openTestFolder();
    mkdirSync(home(walls), { recursive: true });
    writeFileSync(join(home(walls), ".bashrc"), "");
    make(join(home(walls), ".config"));

    expect(namesInWallHome(walls, agentId)?.sort() ?? null).toEqual(names);
  });

  it("C4 is not looked through if it has more names than a home has", async () => {
    const walls = await openTestFolder();
    mkdirSync(home(walls), { recursive: true });
    for (let count = 0; count < 5_000; count++) writeFileSync(join(home(walls), `file-${count}`), "");

    expect(namesInWallHome(walls, agentId)).toBeNull();
  });
});

function wallOf(
  workspace: string,
  own: string,
  { shown, container, frozen = FROZEN }: Partial<Wall> & { frozen?: string[] },
): Wall {
  return planToWall(
    {
      shown: shown ?? { isolation: "sandbox", network: "none" },
      ...(container && { container }),
      agentId: AgentId.parse("agt-planter"),
      workspace,
      writable: [],
      readable: [],
      frozen,
      reserved: RESERVED,
      env: [],
      hosts: [],
    },
    { wallsDir: join(own, "walls"), hidden: [] },
  );
}
