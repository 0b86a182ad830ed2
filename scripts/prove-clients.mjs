import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBrowser } from "./clients/browser.mjs";
import { CLIENTS } from "./clients/clients.mjs";
import { startGateway } from "./clients/gateway.mjs";
import { createScene, SCENES } from "./clients/scenes.mjs";
import { startStandInModel } from "./clients/stand-in-model.mjs";
import { fail, ROOT, run, TOOL_ENV } from "./run.mjs";
import { setUp } from "./setup.mjs";

// `npm run prove:clients [-- CLIENT…]`: real clients with Belay's hook, through whole tool loops, driven by a stand-in
// for their model on loopback. They are installed from npm into a temporary folder, which needs the network.
const belay = join(ROOT, "apps", "agent-gateway", "bin", "belay.mjs");

const wanted = process.argv.slice(2);
const clients = CLIENTS.filter(({ id }) => wanted.length === 0 || wanted.includes(id));
if (clients.length === 0) fail(`There is no such client. Choose from: ${CLIENTS.map(({ id }) => id).join(", ")}.`);

await setUp();
const dir = mkdtempSync(join(tmpdir(), "belay-clients-"));
const rows = [];
let gateway;
let model;
let browser;
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void cleanUp().then(() => process.exit(130)));
try {
  const modules = await install(join(dir, "clients"));
  mkdirSync(join(dir, "work"));
  gateway = await startGateway(dir, join(dir, "work"), belay);
  model = await startStandInModel();
  browser = await openBrowser(gateway);
  const { approve } = browser;
  for (const client of clients) {
    const { version } = JSON.parse(readFileSync(join(modules, client.package, "package.json"), "utf8"));
    const row = { client: `${client.id} ${version}` };
    const bin = join(modules, ".bin", client.bin);
    for (const [name, play] of Object.entries(SCENES)) {
      process.stdout.write(`${row.client}, ${name}: `);
      const scene = createScene({ client, name, dir, bin, gateway, model, belay, approve });
      row[name] = await play(scene).catch((error) => `failed: ${error.message}`);
      process.stdout.write(`${row[name]}\n`);
    }
    rows.push(row);
  }
} finally {
  await cleanUp();
}
console.table(
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, cell]) => [key, cell.slice(0, 60)]))),
);
process.exit(rows.some((row) => Object.values(row).some((cell) => cell.startsWith("failed"))) ? 1 : 0);

async function cleanUp() {
  await browser?.close();
  model?.close();
  await gateway?.stop();
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
}

/** Install scripts do not run, but for those that put a client's own program in its place. */
async function install(folder) {
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  console.log(`Installing ${clients.map(({ package: name }) => name).join(", ")} …`);
  const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...clients.map(({ package: name }) => name)];
  const { code, text } = await run("npm", args, { output: "collect", cwd: folder, env: TOOL_ENV });
  if (code !== 0) fail(`The clients could not be installed:\n${text}`);
  const modules = join(folder, "node_modules");
  for (const { package: name, postinstall } of clients) {
    if (!postinstall) continue;
    const ended = await run(process.execPath, [postinstall], { output: "collect", cwd: join(modules, name) });
    if (ended.code !== 0) fail(`${name} could not be installed:\n${ended.text}`);
  }
  return modules;
}
