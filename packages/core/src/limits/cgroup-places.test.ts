import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findCgroupPlaces } from "./cgroup-places.ts";

/** A fake machine in a folder: what the kernel says about this process, and its groups. */
function machine(groups: Record<string, string>, cgroup: string, mounts: (root: string) => string): string {
  const root = mkdtempSync(join(tmpdir(), "belay-groups-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [folder, controllers] of Object.entries(groups)) {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, "cgroup.procs"), "");
    writeFileSync(join(root, folder, "cgroup.subtree_control"), controllers);
  }
  writeFileSync(join(root, "cgroup"), cgroup);
  writeFileSync(join(root, "mountinfo"), mounts(root));
  return root;
}

test("C13 with version 1 a group is created below this process's group of each controller", () => {
  const root = machine({ "memory/own": "" }, "4:memory:/own\n1:cpu,cpuacct:/gone\n0::/\n", (at) =>
    [
      `30 29 0:26 / ${at}/memory rw,relatime - cgroup cgroup rw,memory`,
      `31 29 0:27 / ${at}/cpu rw,relatime - cgroup cgroup rw,cpu,cpuacct`,
    ].join("\n"),
  );

  expect(findCgroupPlaces({ proc: root })).toEqual({ memory: { version: 1, folder: join(root, "memory/own") } });
});

test("C13 with version 2 it is created beside the subgroup that the service manager put Belay in, and nowhere else", () => {
  const mounts = (at: string) => `30 29 0:26 / ${at} rw - cgroup2 cgroup2 rw,nsdelegate`;
  const groups = {
    "belay.service": "pids memory",
    "belay.service/belay": "",
    "user.slice": "pids",
    "user.slice/own": "",
  };
  const delegated = machine(groups, "0::/belay.service/belay\n", mounts);
  const elsewhere = machine(groups, "0::/user.slice/own\n", mounts);
  const place = { version: 2, folder: join(delegated, "belay.service") };

  expect(findCgroupPlaces({ proc: delegated })).toMatchObject({ pids: place, memory: place });
  expect(findCgroupPlaces({ proc: elsewhere })).toEqual({});
});

test("C13 where the kernel says nothing there is no place", () => {
  expect(findCgroupPlaces({ proc: "/no/such/folder" })).toEqual({});
});
