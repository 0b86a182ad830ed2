import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./run.mjs";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: ROOT,
  encoding: "utf8",
})
  .split("\n")
  .filter((path) => path !== "" && existsSync(join(ROOT, path)));

/** Ids at the start of test names, such as B6, P12 or WIRE-30. */
const proved = new Set(
  tracked
    .filter((path) => /\.(test|spec)\.tsx?$|contract\.ts$/.test(path))
    .flatMap((path) => [...read(path).matchAll(/["'`]((?:(?:[A-Z]\d+|WIRE-\d+) )+)/g)])
    .flatMap(([, ids = ""]) => ids.trim().split(" ")),
);
const described = new Set([
  ...idsIn("docs/features.md", /^\| ([A-Z]\d+) \|/gm),
  ...idsIn("docs/security-attacks.md", /^\| (S\d+) \|/gm),
  ...idsIn("packages/policy/SPEC.md", /\*\*(P\d+)\*\*/g),
  ...idsIn("packages/protocol/SPEC.md", /\*\*(WIRE-\d+)\*\*/g),
]);

test("every id in a test name is documented", () => {
  expect([...proved].filter((id) => !described.has(id)).sort()).toEqual([]);
});

test.each(["docs/features.md", "docs/security-attacks.md"])("every id that %s lists has a test", (page) => {
  const listed = idsIn(page, /^\| ([A-Z]\d+) \|/gm);

  expect(listed.length).toBeGreaterThan(0);
  expect(listed.filter((id) => !proved.has(id))).toEqual([]);
});

test.each(["docs/where-is-what.md", "ARCHITECTURE.md", "CONTRIBUTING.md"])("the paths that %s names exist", (page) => {
  const paths = [...read(page).matchAll(/`((?:apps|packages|docs|scripts|bench|e2e)\/[\w./-]*)`/g)].map(
    ([, path = ""]) => path,
  );

  expect(paths.length).toBeGreaterThan(0);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test("the names that docs/where-is-what.md gives are in the files beside them", () => {
  const named = [...read("docs/where-is-what.md").matchAll(/`(\w+)(?:\(\))?` in `([\w./-]+\.\w+)`/g)];

  expect(named.length).toBeGreaterThan(3);
  expect(named.filter(([, name = "", path = ""]) => !read(path).includes(name)).map(([words]) => words)).toEqual([]);
});

test.each([
  "apps/agent-gateway/src",
  "apps/web/src",
  "packages/protocol/src",
  "packages/policy/src",
  "packages/core/src",
])("no folder of %s has more than 15 files beside their tests", (source) => {
  const root = join(ROOT, source);
  const folders = [".", ...readdirSync(root, { recursive: true, encoding: "utf8" })];
  const crowded = folders.filter((folder) => filesIn(join(root, folder)).length > 15);

  expect(crowded).toEqual([]);
});

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /\.tsx?$/.test(name) && !name.includes(".test."));
  } catch {
    return []; // a file, not a folder
  }
}

function idsIn(path: string, pattern: RegExp): string[] {
  return [...read(path).matchAll(pattern)].map(([, id = ""]) => id);
}
