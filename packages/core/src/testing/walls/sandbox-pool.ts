import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Provider } from "../../pty/providers.ts";
import { Bubblewrap } from "../../walls/bubblewrap.ts";
import type { Wall } from "../../walls/wall.ts";
import { openTestPool, type TestPool } from "../test-pool.ts";
import { testWall } from "./test-wall.ts";

/** A folder under its real name, which goes with the test. */
export async function openTestFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "belay-walls-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A pool whose terminals are behind a wall, unless a request says otherwise. Closed with the test. */
export async function openSandboxPool(
  overrides: Partial<Wall> = {},
  { provider, make }: { provider: string; make: (folder: string) => Provider } = {
    provider: "bubblewrap",
    make: (folder) => new Bubblewrap(folder).provider,
  },
): Promise<TestPool & { workspace: string }> {
  const own = await openTestFolder();
  const workspace = await openTestFolder();
  const test = await openTestPool({ dataDir: join(own, "terminals"), providers: [make(join(own, "walls"))] });
  onTestFinished(() => test.close());
  const wall = testWall(workspace, own, overrides);
  return { ...test, workspace, spawn: (request) => test.spawn({ cwd: workspace, provider, wall, ...request }) };
}
