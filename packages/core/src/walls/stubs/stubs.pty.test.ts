import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { openTestFolder } from "../../testing/walls/sandbox-pool.ts";
import { Containers } from "../container.ts";
import { Stubs } from "./stubs.ts";

/** A holder that another process left, as if that had been killed. */
function leaveHolder(folder: string, pid: number, made: string[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${pid}-1.json`), JSON.stringify({ pid, made }));
  for (const path of made) writeFileSync(path, "");
}

/** A process that has been killed, and that its parent does not notice: what a host is, for a moment, or for ever. */
async function makeZombie(): Promise<number> {
  const parent: ChildProcess = spawn("sh", ["-c", "sleep 300 & echo $!; exec sleep 300 >&-"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void parent.kill("SIGKILL"));
  const [text] = (await once(parent.stdout as NonNullable<typeof parent.stdout>, "data")) as [Buffer];
  const pid = Number(text.toString());
  // A shell would notice; what it becomes does not.
  const patience = { timeout: 20_000, interval: 5 };
  await vi.waitFor(() => expect(readFileSync(`/proc/${parent.pid}/comm`, "utf8")).toBe("sleep\n"), patience);
  process.kill(pid, "SIGKILL");
  await vi.waitFor(() => expect(readFileSync(`/proc/${pid}/stat`, "latin1")).toMatch(/\) Z /), patience);
  return pid;
}

it("C4 placeholders of a killed process are removed with the next ones, even if its death was not noticed yet", async () => {
  const [folder, workspace] = [join(await openTestFolder(), "stubs"), await openTestFolder()];
  leaveHolder(folder, await makeZombie(), [join(workspace, ".env")]);

  const release = new Stubs(folder).hold([join(workspace, ".env"), join(workspace, ".mcp.json")]);
  expect(readdirSync(workspace).sort()).toEqual([".env", ".mcp.json"]);
  release();

  expect(readdirSync(workspace)).toEqual([]);
});

it("C4 those of a process that is killed later go with the last terminal", async () => {
  const [folder, workspace] = [join(await openTestFolder(), "stubs"), await openTestFolder()];
  const other = spawn("sleep", ["300"], { stdio: "ignore" });
  onTestFinished(() => void other.kill("SIGKILL"));
  leaveHolder(folder, other.pid ?? 0, [join(workspace, ".env")]);

  const release = new Stubs(folder).hold([join(workspace, ".env")]);
  other.kill("SIGKILL");
  await once(other, "exit");
  release();

  expect(readdirSync(workspace)).toEqual([]);
});

it("C4 a placeholder is neither made nor removed behind a link that took the place of its folder", async () => {
  const [folder, workspace, outside] = [
    join(await openTestFolder(), "stubs"),
    await openTestFolder(),
    await openTestFolder(),
  ];
  const stubs = new Stubs(folder);
  mkdirSync(join(workspace, "tools"));
  const release = stubs.hold([join(workspace, "tools/hooks/")]);
  renameSync(join(workspace, "tools"), join(workspace, "moved"));
  symlinkSync(outside, join(workspace, "tools"));

  expect(() => stubs.hold([join(workspace, "tools/other.json")])).toThrow();
  mkdirSync(join(outside, "hooks"));
  release();

  expect(readdirSync(outside)).toEqual(["hooks"]);
});

it("C4 no placeholder is left if one of them cannot be made", async () => {
  const [folder, workspace] = [join(await openTestFolder(), "stubs"), await openTestFolder()];
  const stubs = new Stubs(folder);

  expect(() => stubs.hold([join(workspace, ".env"), join(workspace, `${"long".repeat(100)}`)])).toThrow("ENAMETOOLONG");

  expect([readdirSync(workspace), readdirSync(folder)]).toEqual([[], []]);
});

it("C4 a placeholder is removed from its folder, wherever that was moved meanwhile", async () => {
  const [folder, workspace] = [join(await openTestFolder(), "stubs"), await openTestFolder()];
  mkdirSync(join(workspace, "tools"));
  const release = new Stubs(folder).hold([join(workspace, "tools/hooks/")]);
  renameSync(join(workspace, "tools"), join(workspace, "moved"));

  release();

  expect(readdirSync(workspace, { recursive: true })).toEqual(["moved"]);
});

it("C4 placeholders of a killed process are removed when the next one starts, before it opens a terminal", async () => {
  const [walls, workspace] = [await openTestFolder(), await openTestFolder()];
  leaveHolder(join(walls, "stubs"), await makeZombie(), [join(workspace, ".env")]);

  await new Containers(walls).endLeft();

  expect([readdirSync(workspace), readdirSync(join(walls, "stubs"))]).toEqual([[], []]);
});
