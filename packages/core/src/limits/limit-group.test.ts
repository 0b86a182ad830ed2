import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type CgroupPlaces, findCgroupPlaces } from "./cgroup-places.ts";
import { LimitGroup } from "./limit-group.ts";
import { ResourceLimiter } from "./resource-limiter.ts";

const LIMITS = { processes: 9, memoryBytes: null, cpus: null, openFiles: null, fileBytes: null, recordingBytes: null };

test("C13 a group that we are in ourselves is never taken for a terminal's, nor that of a process that is gone", () => {
  // All processes in such a group are ended with the terminal.
  expect(LimitGroup.around(process.pid, LIMITS)).toBeNull();
  expect(LimitGroup.around(process.ppid, LIMITS)).toBeNull();
  expect(LimitGroup.around(2 ** 30, LIMITS)).toBeNull();
});

/** The files of version 2 in an ordinary folder: what is written there is what the kernel would be told. */
function version2(): { root: string; places: CgroupPlaces; read: (path: string) => string } {
  const root = mkdtempSync(join(tmpdir(), "belay-groups-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const place = { version: 2, folder: root } as const;
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  return { root, places: { pids: place, memory: place, cpu: place }, read };
}

test("C13 with version 2 a terminal's group has its limits in the files of that version, and one file to join it", () => {
  const { root, places, read } = version2();
  const limiter = new ResourceLimiter({ dataDir: "/nowhere", use: "host", places });
  onTestFinished(() => limiter.close());

  const held = limiter.hold(
    "pty-1",
    { ...LIMITS, memoryBytes: 64_000_000, cpus: 0.5, fileBytes: 1_000 },
    { onStuck: () => {} },
  );
  const [parent = ""] = readdirSync(root);

  expect(held.launch.joinFiles).toEqual([join(root, parent, "pty-1", "cgroup.procs")]);
  expect(held.launch).toMatchObject({ dataBytes: null, processesInside: null, fileBytes: 1_000 });
  expect(read(`${parent}/pty-1/pids.max`)).toBe("9");
  expect(read(`${parent}/pty-1/memory.max`)).toBe("64000000");
  expect(read(`${parent}/pty-1/memory.swap.max`)).toBe("0");
  expect(read(`${parent}/pty-1/cpu.max`)).toBe("50000 100000");
  expect(readdirSync(join(root, parent, "pty-1")).filter((name) => /limit_in_bytes|cfs/.test(name))).toEqual([]);
  // Children have a controller only if their parent hands it on.
  expect(read(`${parent}/cgroup.subtree_control`)).toMatch(/^\+(pids|memory|cpu)$/);
});

test("C13 with version 2 what the kernel counts says which limit was reached, once", () => {
  const { root, places } = version2();
  const group = LimitGroup.create(places, "pty-1", { ...LIMITS, memoryBytes: 64_000_000 });
  const tell = (file: string, text: string) => writeFileSync(join(root, "pty-1", file), text);
  tell("pids.events", "max 0\n");
  tell("memory.events", "low 0\nhigh 0\nmax 7\noom 0\noom_kill 0\n");
  tell("pids.current", "9\n");
  tell("cgroup.procs", "0\n4001\n4002\n");

  expect(group.takeReached()).toBeNull();
  tell("memory.events", "max 9\noom 1\noom_kill 1\n");
  expect([group.takeReached(), group.takeReached()]).toEqual(["memory", null]);
  tell("pids.events", "max 3\n");
  expect([group.takeReached(), group.takeReached()]).toEqual(["processes", null]);
  expect({ isFull: group.isFull, pids: group.pids }).toEqual({ isFull: true, pids: [4001, 4002] });
  group.forbidForks();
  expect(readFileSync(join(root, "pty-1/pids.max"), "utf8")).toBe("0");
});

const UNIFIED = "/sys/fs/cgroup/unified";

test("C13 a real version 2 without the controllers is no place for a limit", (context) => {
  if (!existsSync(join(UNIFIED, "cgroup.controllers"))) context.skip("This machine has no such tree.");
  const controllers = readFileSync(join(UNIFIED, "cgroup.controllers"), "utf8");
  if (/pids|memory|cpu/.test(controllers)) context.skip("It has them.");
  const proc = mkdtempSync(join(tmpdir(), "belay-proc-"));
  onTestFinished(() => rmSync(proc, { recursive: true }));
  mkdirSync(proc, { recursive: true });
  writeFileSync(join(proc, "cgroup"), "0::/\n");
  writeFileSync(join(proc, "mountinfo"), `30 29 0:26 / ${UNIFIED} rw - cgroup2 cgroup2 rw\n`);

  expect(findCgroupPlaces({ proc })).toEqual({});
});
