import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { onTestFinished, type TestContext } from "vitest";
import { type BelayProcess, runBelay } from "../belay-process.ts";

/** Mounts that only the processes of a test see. They disappear with them. */
export interface PrivateMount {
  dataDir: string;
  /** Runs `belay start` inside the mount. */
  start(env?: Record<string, string>): BelayProcess;
  /** Runs it again while a process of an earlier one keeps the mount alive. */
  startAgain(pid: number): BelayProcess;
  /** Runs another `belay …` inside the mount. */
  beside(gateway: BelayProcess, args: string[]): BelayProcess;
  /** The path of a file in the mount, as seen from outside. */
  inside(gateway: BelayProcess, name: string): string;
}

const MOUNT_AND_RUN = (mount: string) => ["unshare", "-m", "sh", "-c", `${mount} && shift && exec "$@"`, "sh"];

/** A file system in memory of the given size; read-only from the beginning if requested. */
export function tmpfsMount(context: TestContext, options: string): PrivateMount {
  requireMounts(context, `mount -t tmpfs -o ${options} none "$1"`);
  return privateMount(`mount -t tmpfs -o ${options} none "$1"`);
}

/** A real file system on a loop device; `fail` turns it read-only, as the kernel does after a disk error. */
export function failingMount(context: TestContext): PrivateMount & { fail(gateway: BelayProcess): void } {
  const image = join(temporaryDir(), "disk");
  writeFileSync(image, "");
  truncateSync(image, 64 * 1024 * 1024);
  const made = spawnSync("mkfs.ext4", ["-q", "-F", image], { encoding: "utf8" });
  if (made.status !== 0) context.skip(`mkfs.ext4 is not available here (${made.error?.message ?? made.stderr.trim()})`);
  const mount = `mount -o loop,errors=remount-ro '${image}' "$1"`;
  requireMounts(context, `${mount} && test -w /sys/fs/ext4/$(basename $(findmnt -n -o SOURCE "$1"))/trigger_fs_error`);
  const mounted = privateMount(`${mount} && chmod 700 "$1"`);
  return {
    ...mounted,
    fail: ({ child }) => {
      const find = ["-t", String(child.pid), "-m", "findmnt", "-n", "-o", "SOURCE", mounted.dataDir];
      const device = basename(execFileSync("nsenter", find, { encoding: "utf8" }).trim());
      writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, "1");
    },
  };
}

function privateMount(mount: string): PrivateMount {
  const dataDir = join(temporaryDir(), "data");
  mkdirSync(dataDir);
  return {
    dataDir,
    start: (env = {}) => {
      const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
      return runBelay(dataDir, ["start"], [...MOUNT_AND_RUN(mount), dataDir, "env", ...variables]);
    },
    startAgain: (pid) => runBelay(dataDir, ["start"], ["nsenter", "-t", String(pid), "-m"]),
    beside: ({ child }, args) => runBelay(dataDir, args, ["nsenter", "-t", String(child.pid), "-m"]),
    inside: ({ child }, name) => join(`/proc/${child.pid}/root`, dataDir, name),
  };
}

/** Not every machine allows mounts; then the test is skipped with a reason. */
function requireMounts(context: TestContext, mount: string): void {
  const [program = "", ...args] = [...MOUNT_AND_RUN(mount), temporaryDir(), "true"];
  const tried = spawnSync(program, args, { encoding: "utf8" });
  if (tried.status !== 0) context.skip(`nothing can be mounted here (${tried.error?.message ?? tried.stderr.trim()})`);
}

function temporaryDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "belay-mount-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
