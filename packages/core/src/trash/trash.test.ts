import { spawnSync } from "node:child_process";
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeDeepTree } from "../testing/deep-tree.ts";
import { projectTrashDir } from "./install-trash.ts";
import { emptyTrash, listTrash, restoreFromTrash } from "./trash.ts";

let base: string;
let trashDir: string;
let work: string;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "belay-trash-")));
  trashDir = join(base, "trash");
  work = join(base, "work");
  await mkdir(work);
});
afterEach(() => rm(base, { recursive: true }));

/** Puts items into the trash like `rm`; null makes a folder with a file in it. */
async function remove(entry: string, files: Record<string, string | null>, origin = work): Promise<void> {
  const dir = join(trashDir, "entries", entry);
  await mkdir(join(dir, "files"), { recursive: true });
  await writeFile(join(dir, "origin"), `belay-trash 1\n${origin}\n`);
  for (const [name, text] of Object.entries(files)) {
    const path = join(dir, "files", name);
    await mkdir(text === null ? path : dirname(path), { recursive: true });
    await writeFile(text === null ? join(path, "inner") : path, text ?? "inner");
  }
}

const exists = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  );

describe("D9 the trash", () => {
  it("D9 lists removed items, oldest first", async () => {
    await remove("200-1-1", { "new file": "x" });
    await remove("100-7-1", { old: null });

    expect(await listTrash(trashDir)).toEqual([
      { id: "100-7-1/old", path: join(work, "old"), deletedAt: 100_000, kind: "directory" },
      { id: "200-1-1/new%20file", path: join(work, "new file"), deletedAt: 200_000, kind: "file" },
    ]);
    expect(await listTrash(join(base, "none"))).toEqual([]);
  });

  it("D9 skips invalid entries, and those that lead out of the trash", async () => {
    await mkdir(join(trashDir, "entries", "stray"), { recursive: true });
    await mkdir(join(trashDir, "entries", "1-1-1"));
    await symlink("/etc", join(trashDir, "entries", "2-1-1"));
    await remove("3-1-1", { a: "x" }, "relative/path");

    expect(await listTrash(trashDir)).toEqual([]);
  });

  it.each([
    ["a pipe", (path: string) => void spawnSync("mkfifo", [path])],
    ["a folder", (path: string) => mkdir(path)],
    ["a link to itself", (path: string) => symlink(path, path)],
    ["a file without an end", (path: string) => symlink("/dev/zero", path)],
    ["larger than a path can be", (path: string) => writeFile(path, "belay-trash 1\n/".padEnd(10_000, "x"))],
    ["a path with dots", (path: string) => writeFile(path, "belay-trash 1\n/tmp/../etc\n")],
  ])("D9 an entry whose origin is %s is skipped, and the others are listed", async (_, make) => {
    await remove("1-1-1", { bad: "x" });
    await rm(join(trashDir, "entries/1-1-1/origin"));
    await make(join(trashDir, "entries/1-1-1/origin"));
    await remove("2-1-1", { good: "x" });

    expect((await listTrash(trashDir)).map(({ id }) => id)).toEqual(["2-1-1/good"]);
  });

  it("D9 follows no link on the way to where an item was, and makes nothing behind one", async () => {
    const outside = join(base, "outside");
    await mkdir(outside);
    await symlink(outside, join(work, "linked"));
    await remove("1-1-1", { a: "text" }, join(work, "linked", "new"));

    expect(await restoreFromTrash(trashDir, "1-1-1/a")).toMatchObject({ status: "refused", reason: "folder-moved" });
    expect(await readdir(outside)).toEqual([]);
  });

  it("D9 deletes a tree that is deeper than a path can be long", async () => {
    await remove("1-1-1", { a: null });
    makeDeepTree(join(trashDir, "entries/1-1-1/files/a"));

    expect(await emptyTrash(trashDir, { now: 1 })).toMatchObject({ removedItems: 1 });
    expect(await listTrash(trashDir)).toEqual([]);
  });

  it("D9 restores a file, a folder and a link, and creates missing parent folders", async () => {
    await remove("1-1-1", { a: "text", d: null }, join(work, "gone", "too"));
    await symlink("target", join(trashDir, "entries", "1-1-1", "files", "l"));

    for (const { id } of await listTrash(trashDir)) {
      expect(await restoreFromTrash(trashDir, id)).toMatchObject({ status: "restored" });
    }

    expect(await readFile(join(work, "gone/too/a"), "utf8")).toBe("text");
    expect(await readFile(join(work, "gone/too/d/inner"), "utf8")).toBe("inner");
    expect(await readlink(join(work, "gone/too/l"))).toBe("target");
    expect(await exists(join(trashDir, "entries", "1-1-1"))).toBe(false);
  });

  it.each(["a", "d"])("D9 refuses to overwrite (%s)", async (name) => {
    await remove("1-1-1", { a: "old", d: null });
    await writeFile(join(work, name), "new");

    expect(await restoreFromTrash(trashDir, `1-1-1/${name}`)).toEqual({
      status: "refused",
      reason: "path-taken",
      path: join(work, name),
    });
    expect(await readFile(join(work, name), "utf8")).toBe("new");
    expect((await listTrash(trashDir)).length).toBe(2);
  });

  it("D9 refuses to restore through a link that replaced the folder", async () => {
    await mkdir(join(base, "elsewhere"));
    await symlink(join(base, "elsewhere"), join(work, "dir"));
    await remove("1-1-1", { a: "x" }, join(work, "dir"));

    expect(await restoreFromTrash(trashDir, "1-1-1/a")).toMatchObject({ status: "refused", reason: "folder-moved" });
    expect(await exists(join(base, "elsewhere", "a"))).toBe(false);
  });

  it("D9 reports an unknown id", async () => {
    await remove("1-1-1", { a: "x" });

    for (const id of ["1-1-1/b", "../../etc/passwd", "1-1-1/..", ""]) {
      expect(await restoreFromTrash(trashDir, id)).toEqual({ status: "refused", reason: "not-in-trash", path: null });
    }
  });

  it("D9 empties by age", async () => {
    await remove("1000-1-1", { old: "12345" });
    await remove("2000-1-1", { young: "1" });

    expect(await emptyTrash(trashDir, { olderThanMs: 500_000, now: 2_000_000 })).toEqual({
      removedItems: 1,
      freedBytes: 5,
    });
    expect((await listTrash(trashDir)).map((item) => item.id)).toEqual(["2000-1-1/young"]);
  });

  it("D9 empties by size, oldest first", async () => {
    for (const second of [1, 2, 3, 4]) await remove(`${second}-1-1`, { file: "x".repeat(100) });

    expect(await emptyTrash(trashDir, { maxBytes: 250, now: 10_000 })).toEqual({ removedItems: 2, freedBytes: 200 });
    expect((await listTrash(trashDir)).map((item) => item.id)).toEqual(["3-1-1/file", "4-1-1/file"]);
  });

  it("D9 empties everything, including read-only folders, but not an entry that is being filled", async () => {
    await remove("1-1-1", { d: null });
    await chmod(join(trashDir, "entries/1-1-1/files/d"), 0o500);
    await remove("2-1-1", {});

    expect(await emptyTrash(trashDir, { now: 3_000 })).toEqual({ removedItems: 1, freedBytes: 5 });
    expect(await exists(join(trashDir, "entries/2-1-1"))).toBe(true);
    await emptyTrash(trashDir, { now: 10_000_000 });
    expect(await exists(join(trashDir, "entries/2-1-1"))).toBe(false);
  });

  it("D9 gives each project its own trash", () => {
    expect(projectTrashDir("/data", "/work/my app")).toMatch(/^\/data\/trash\/my_app-[0-9a-f]{12}$/);
    expect(projectTrashDir("/data", "/a/x")).not.toBe(projectTrashDir("/data", "/b/x"));
    expect(projectTrashDir("/data", "/")).toMatch(/^\/data\/trash\/root-/);
  });
});
