import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ROOT, run } from "../run.mjs";

/** Files that the program reads at run time, by their folders in a clone. */
const PARTS = [
  "apps/agent-gateway/bin",
  "apps/agent-gateway/dist",
  "apps/agent-gateway/migrations",
  "apps/web/out",
  "deploy",
  "examples/policies",
  "scripts/own-node.cjs",
  "scripts/native-modules.cjs",
  "LICENSE",
  "README.md",
  "CHANGELOG.md",
];
const BUILT = ["apps/agent-gateway/dist/cli.js", "apps/web/out/index.html"];
const SOURCES = /\.(?:map|tsx?)$/;

/** Packs what the build made into `folder`, as one npm tarball with the native modules inside. Returns its path. */
export async function packInto(folder) {
  const missing = BUILT.find((file) => !existsSync(join(ROOT, file)));
  if (missing) throw new Error(`${missing} is not there: build the project first.`);
  const stage = mkdtempSync(join(tmpdir(), "belay-stage-"));
  try {
    for (const part of PARTS) copy(join(ROOT, part), join(stage, part));
    const bundled = [stageSqlite(stage), stagePty(stage)];
    writeJson(join(stage, "package.json"), describePackage(bundled));
    return await pack(stage, folder);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

function describePackage(bundled) {
  const { name, version, description, license, type, bin } = readJson(join(ROOT, "package.json"));
  return {
    name,
    version,
    description,
    license,
    type,
    bin: { belay: bin.belay.replace("./", "") },
    // Without the project's own Node: if the installed one is too old, Belay downloads it.
    engines: { node: ">=20" },
    scripts: { postinstall: "node scripts/native-modules.cjs" },
    dependencies: Object.fromEntries(bundled.map((module) => [module.name, module.version])),
    bundleDependencies: bundled.map((module) => module.name),
  };
}

/** Prebuilt for every system that Belay runs on; its sources and build dependencies are left out. */
function stageSqlite(stage) {
  const source = locate("better-sqlite3", "apps/agent-gateway");
  const target = join(stage, "node_modules/better-sqlite3");
  for (const part of ["LICENSE", "lib", "prebuilds"]) copy(join(source, part), join(target, part));
  removeWindows(join(target, "prebuilds"));
  return stageManifest(source, target, {});
}

/** Prebuilt for macOS and for this system, and with its sources for `native-modules.cjs`. */
function stagePty(stage) {
  const source = locate("node-pty", "packages/core");
  const target = join(stage, "node_modules/node-pty");
  for (const part of ["LICENSE", "binding.gyp", "lib", "prebuilds", "src/unix"])
    copy(join(source, part), join(target, part));
  const prebuilds = join(target, "prebuilds");
  removeWindows(prebuilds);
  const compiled = join(source, "build/Release/pty.node");
  if (existsSync(compiled)) copy(compiled, join(prebuilds, `${process.platform}-${process.arch}`, "pty.node"));
  // The published package lacks the executable bit on the program that starts shells on macOS.
  for (const system of readdirSync(prebuilds)) {
    const helper = join(prebuilds, system, "spawn-helper");
    if (existsSync(helper)) chmodSync(helper, 0o755);
  }

  const headers = dirname(createRequire(join(source, "package.json")).resolve("node-addon-api/package.json"));
  const headersTarget = join(target, "node_modules/node-addon-api");
  cpSync(headers, headersTarget, { recursive: true });
  const { name, version } = stageManifest(headers, headersTarget, {});
  return stageManifest(source, target, { [name]: version });
}

/**
 * The manifest of a bundled module without the fields that npm acts on: scripts that compile, `files` that leave out
 * what was added here, and an `engines` that would warn on a Node that Belay replaces.
 */
function stageManifest(source, target, dependencies) {
  const { scripts, files, engines, devDependencies, ...manifest } = readJson(join(source, "package.json"));
  // Without gypfile, npm compiles every module that has a binding.gyp.
  writeJson(join(target, "package.json"), { ...manifest, dependencies, gypfile: false });
  return manifest;
}

function removeWindows(prebuilds) {
  for (const entry of readdirSync(prebuilds))
    if (entry.startsWith("win32-")) rmSync(join(prebuilds, entry), { recursive: true });
}

async function pack(stage, folder) {
  const args = ["pack", "--json", "--ignore-scripts", "--loglevel=error", "--no-update-notifier"];
  const { code, text } = await run("npm", [...args, "--pack-destination", folder], { output: "collect", cwd: stage });
  if (code !== 0) throw new Error(`npm pack failed: ${text}`);
  const { name, version } = readJson(join(stage, "package.json"));
  return join(folder, `${name}-${version}.tgz`);
}

/** The real folder of a dependency, because pnpm uses symlinks. */
function locate(name, dependent) {
  const require = createRequire(join(ROOT, dependent, "package.json"));
  return realpathSync(dirname(require.resolve(`${name}/package.json`)));
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, filter: (file) => !SOURCES.test(file) });
}

function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
