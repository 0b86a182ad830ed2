import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { readOptions } from "./options.mjs";
import { isNewEnough } from "./own-node.cjs";
import { prove, requireOwnRoot } from "./release/prove.mjs";
import { packInto } from "./release/stage.mjs";
import { ROOT, run } from "./run.mjs";
import { setUp } from "./setup.mjs";

const { values: options } = readOptions({
  usage: `npm run release [-- OPTION …]: one tarball that runs without a clone, tested in a root folder that contains only Node

  --dry-run   deletes the tarball afterwards
  --unproved  only packs it, for tests that install it themselves`,
  options: { "dry-run": { type: "boolean", default: false }, unproved: { type: "boolean", default: false } },
});
if (!options.unproved) requireOwnRoot();

const started = performance.now();
await setUp();
const folder = mkdtempSync(join(tmpdir(), "belay-release-"));
try {
  const tarball = await packInto(folder);
  console.log(`${basename(tarball)}: ${megabytes(statSync(tarball).size)} MB, packed in ${seconds(started)} s`);
  if (!options.unproved) for (const node of await nodes()) await proveOn(tarball, node);
  if (!options["dry-run"]) keep(tarball);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function proveOn(tarball, { path, version }) {
  const { installedKb, timings } = await prove(tarball, path);
  const own = isNewEnough(version) ? "" : ", which fetched a newer one for itself";
  console.log(`In an empty root with Node ${version}${own}:`);
  console.log(`  installed    ${(timings.install / 1000).toFixed(1)} s, ${megabytes(installedKb * 1024)} MB`);
  console.log(`  ready        ${(timings.start / 1000).toFixed(1)} s after npx`);
  console.log(`  agent        connected and ran a command in ${(timings.command / 1000).toFixed(2)} s`);
}

/** The Node that runs this, and the system's own if that is a different one. */
async function nodes() {
  const own = { path: process.execPath, version: process.versions.node };
  const search = process.env.PATH.split(":").filter((entry) => !entry.startsWith(join(ROOT, "node_modules")));
  const { text } = await run("node", ["-p", "process.execPath + ' ' + process.versions.node"], {
    output: "collect",
    env: { ...process.env, PATH: search.join(":") },
  });
  const [path, version] = text.trim().split(" ");
  return version === own.version ? [own] : [own, { path, version }];
}

function keep(tarball) {
  const release = join(ROOT, "release");
  mkdirSync(release, { recursive: true });
  const kept = join(release, basename(tarball));
  copyFileSync(tarball, kept);
  const digest = createHash("sha256").update(readFileSync(kept)).digest("hex");
  writeFileSync(`${kept}.sha256`, `${digest}  ${basename(kept)}\n`);
  console.log(`${kept}\nsha256 ${digest}`);
}

function megabytes(bytes) {
  return (bytes / 1024 / 1024).toFixed(1);
}

function seconds(since) {
  return ((performance.now() - since) / 1000).toFixed(0);
}
