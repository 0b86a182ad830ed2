import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packInto } from "./release/stage.mjs";

const dir = mkdtempSync(join(tmpdir(), "belay-package-"));
const home = join(dir, "home");
const prefix = join(dir, "prefix");
const installed = join(prefix, "lib/node_modules/belay");

beforeAll(async () => {
  const tarball = await packInto(dir);
  mkdirSync(home);
  // No registry is reachable: everything that it needs on this system is inside.
  const offline = ["--registry", "http://127.0.0.1:9", "--no-audit", "--no-fund", "--no-update-notifier"];
  await runProgram("npm", ["install", "--global", "--prefix", prefix, ...offline, tarball]);
}, 120_000);

afterAll(() => rmSync(dir, { recursive: true, force: true }));

test("G14 the package installs without a registry, a clone or a build, and belay works from any folder", async () => {
  const version = await belay(["--version"]);
  const judged = await belay(["policy", "check", "git status", "--json"]);

  expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  expect(JSON.parse(judged.stdout)).toMatchObject({ decision: "allow" });
});

test("G14 it calls itself `belay` in its help", async () => {
  const listed = await belay(["agent", "list"], { BELAY_DATA_DIR: join(dir, "data") });

  expect(listed).toEqual({ code: 0, stdout: "No agents yet. Add one: belay agent add NAME\n", stderr: "" });
});

test("G14 it has the console, the migrations, the native modules, the units and the recipes, and no sources of ours", () => {
  const files = readdirSync(installed, { recursive: true, encoding: "utf8" });

  for (const part of [
    "apps/web/out/index.html",
    "apps/agent-gateway/dist/pty-host.js",
    "apps/agent-gateway/dist/judge-worker.js",
    "apps/agent-gateway/dist/render-worker.js",
    "apps/agent-gateway/migrations/meta/_journal.json",
    "deploy/systemd/install.sh",
    "examples/policies/read-only.json",
    `node_modules/node-pty/prebuilds/${process.platform}-${process.arch}/pty.node`,
  ])
    expect(existsSync(join(installed, part)), part).toBe(true);
  expect(files.filter((file) => /(?:\.map|\.tsx?)$/.test(file) && !file.startsWith("node_modules"))).toEqual([]);
});

test("G14 without a prebuilt terminal module or a compiler, one sentence says what to install", async () => {
  rmSync(join(installed, "node_modules/node-pty/prebuilds"), { recursive: true });

  const started = await belay(["start"], { PATH: join(dir, "no-programs") });

  expect(started).toMatchObject({ code: 1, stdout: "" });
  expect(started.stderr).toContain("for which it needs g++, make, python3. Install them (Debian, Ubuntu: sudo apt-get");
});

function belay(args: string[], env: Record<string, string> = {}) {
  return runProgram(process.execPath, [join(prefix, "bin/belay"), ...args], env);
}

function runProgram(program: string, args: string[], env: Record<string, string> = {}) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const options = { cwd: home, env: { PATH: process.env.PATH, HOME: home, ...env }, timeout: 50_000 };
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });
}
