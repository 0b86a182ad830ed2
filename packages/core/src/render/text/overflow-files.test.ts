import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { OverflowFiles } from "./overflow-files.ts";
import { summariseToFile } from "./overflow-summary.ts";
import { DEFAULT_SUMMARY_LIMITS, SESSIONS_SUMMARY_LIMITS } from "./summary.ts";

const DAY_MS = 24 * 3_600_000;
let base: string;
let dir: string;
let clock: number;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "belay-overflow-"));
  dir = join(base, "overflow");
  clock = Date.now();
});
afterEach(() => rm(base, { recursive: true }));

const WEEK_MS = 7 * 24 * 3_600_000;
const createFiles = (maxBytes: number | null = null) =>
  new OverflowFiles({ dir, now: () => clock, maxAgeMs: () => WEEK_MS, maxBytes: () => maxBytes });

describe("D6 overflow files", () => {
  it("D6 are readable only by their owner, under names that cannot be guessed", async () => {
    const files = createFiles();
    const paths = [await files.write("one"), await files.write("two")];

    expect(await readFile(paths[0] ?? "", "utf8")).toBe("one");
    expect((await lstat(paths[0] ?? "")).mode & 0o777).toBe(0o600);
    expect((await lstat(dir)).mode & 0o777).toBe(0o700);
    expect(new Set(paths.map((path) => path.replace(/.*output-/, "").length))).toEqual(new Set([28]));
  });

  it("D6 C13 stay within their size limit: the oldest are deleted first", async () => {
    const files = createFiles(10);
    const paths = [await files.write("123456"), await files.write("abcdef"), await files.write("xyz")];
    for (const [age, path] of paths.toReversed().entries()) await utimes(path, 0, clock / 1000 - age * 60);

    await files.prune();

    expect((await readdir(dir)).length).toBe(2);
    expect(await lstat(paths[0] ?? "").catch(() => null)).toBeNull();
  });

  it("D6 are not written through a link in place of their folder", async () => {
    await mkdir(join(base, "elsewhere"));
    await symlink(join(base, "elsewhere"), dir);

    await expect(createFiles().write("secret")).rejects.toThrow("not a folder of its own");
    expect(await readdir(join(base, "elsewhere"))).toEqual([]);
  });

  it("D6 are deleted after seven days, and nothing else is", async () => {
    const files = createFiles();
    const old = await files.write("old");
    const young = await files.write("young");
    const foreign = join(dir, "notes.txt");
    await writeFile(foreign, "mine");
    for (const path of [old, foreign]) await utimes(path, 0, clock / 1_000 - 8 * 24 * 3_600);

    clock += 2 * 3_600_000;
    const next = await files.write("next");

    expect((await readdir(dir)).sort()).toEqual(
      [foreign, next, young].map((path) => path.slice(dir.length + 1)).sort(),
    );
    clock += 8 * DAY_MS;
    expect(await files.prune()).toBe(2);
  });
});

describe("D6 a summary with the whole text in a file", () => {
  const long = Array.from({ length: 3_000 }, (_, index) => `line ${index}`).join("\n");

  it.each([
    ["default", DEFAULT_SUMMARY_LIMITS],
    ["sessions", SESSIONS_SUMMARY_LIMITS],
  ])("D6 stays within the limit (%s)", async (_name, limits) => {
    const { text, fullTextPath } = await summariseToFile(long, limits, { files: createFiles() });

    expect(text.length).toBeLessThanOrEqual(limits.maxChars);
    expect(text.endsWith(`\n[All 3,000 lines: ${fullTextPath}]`)).toBe(true);
    expect(await readFile(fullTextPath ?? "", "utf8")).toBe(long);
  });

  it("D6 writes no file for a short text", async () => {
    expect(await summariseToFile("short", DEFAULT_SUMMARY_LIMITS, { files: createFiles() })).toMatchObject({
      text: "short",
      isWhole: true,
      fullTextPath: null,
    });
  });

  it("D6 writes one also when only a line was capped", async () => {
    const { text, fullTextPath } = await summariseToFile("x".repeat(900), DEFAULT_SUMMARY_LIMITS, {
      files: createFiles(),
    });

    expect(text).toContain("900 characters in this line");
    expect(await readFile(fullTextPath ?? "", "utf8")).toBe("x".repeat(900));
  });

  it("D6 says so if it cannot be written", async () => {
    await writeFile(dir, "a file is in the way");

    const { text, fullTextPath } = await summariseToFile(long, DEFAULT_SUMMARY_LIMITS, { files: createFiles() });

    expect(fullTextPath).toBeNull();
    expect(text.endsWith("\n[The whole text could not be written to a file: EEXIST]")).toBe(true);
  });
});
