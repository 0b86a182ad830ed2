import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { benchClient } from "./clients/bench.mjs";
import { openBrowser } from "./clients/browser.mjs";
import { CLIENTS } from "./clients/clients.mjs";
import { startGateway } from "./clients/gateway.mjs";
import { createScene, SCENES } from "./clients/scenes.mjs";
import { startStandInModel } from "./clients/stand-in-model.mjs";
import { readOptions } from "./options.mjs";
import { ROOT, run, TOOL_ENV } from "./run.mjs";
import { setUp } from "./setup.mjs";

const belay = join(ROOT, "apps", "agent-gateway", "bin", "belay.mjs");

const ids = CLIENTS.map(({ id }) => id);
const { values: options, wanted } = readOptions({
  usage: `npm run prove:clients [-- CLIENT …] [--bench]: real clients with Belay's hook, through whole tool loops

The model is a stand-in on loopback. The clients are installed from npm into a temporary folder, which needs the network.

  CLIENT   only these: ${ids.join(", ")}
  --bench  measures what the hooks add to each command, beside the same client without them`,
  takes: ids,
  options: { bench: { type: "boolean", default: false } },
});
const clients = CLIENTS.filter(({ id }) => wanted.length === 0 || wanted.includes(id));

await setUp();
const dir = mkdtempSync(join(tmpdir(), "belay-clients-"));
const rows = [];
let gateway;
let model;
let browser;
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void cleanUp().then(() => process.exit(130)));
try {
  mkdirSync(join(dir, "work"));
  gateway = await startGateway(dir, join(dir, "work"), belay);
  model = await startStandInModel();
  if (!options.bench) browser = await openBrowser(gateway);
  for (const client of clients) {
    const installed = await install(client, join(dir, "clients", client.id));
    const name = `${client.id} ${installed.version ?? ""}`.trim();
    if (installed.problem) rows.push({ client: name, skipped: installed.problem });
    else if (options.bench) rows.push({ client: name, ...(await bench(client, installed.bin)) });
    else rows.push({ client: name, ...(await playScenes(client, name, installed.bin)) });
  }
} finally {
  await cleanUp();
}
console.table(
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, cell]) => [key, cell.slice(0, 60)]))),
);
const skipped = rows.filter((row) => row.skipped).length;
if (skipped > 0) console.log(`${skipped} of ${rows.length} clients were skipped, because they could not be installed.`);
const isFailed = rows.some((row) => Object.values(row).some((cell) => cell.startsWith("failed")));
process.exit(isFailed || skipped === rows.length || (skipped > 0 && !options.bench) ? 1 : 0);

async function playScenes(client, name, bin) {
  const row = {};
  for (const [scene, play] of Object.entries(SCENES)) {
    process.stdout.write(`${name}, ${scene}: `);
    row[scene] = await tell(play(createScene({ ...partsFor(bin), client, name: scene })));
    process.stdout.write(`${row[scene]}\n`);
  }
  return row;
}

async function bench(client, bin) {
  const measured = await tell(benchClient(client, partsFor(bin)));
  return typeof measured === "string" ? { failed: measured } : measured;
}

function partsFor(bin) {
  return { dir, bin, gateway, model, belay, approve: browser?.approve };
}

function tell(result) {
  return result.catch((error) => `failed: ${error.message}`);
}

async function cleanUp() {
  await browser?.close();
  model?.close();
  await gateway?.stop();
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
}

/** Install scripts do not run, but for those that put a client's own program in its place. */
async function install({ package: name, bin, postinstall }, folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  console.log(`Installing ${name} …`);
  const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", name];
  const { code, text } = await run("npm", args, { output: "collect", cwd: folder, env: TOOL_ENV });
  if (code !== 0) return { problem: `not installed: ${text.trim().slice(-300)}` };
  const place = join(folder, "node_modules", name);
  if (postinstall) {
    const ended = await run(process.execPath, [postinstall], { output: "collect", cwd: place });
    if (ended.code !== 0) return { problem: `not installed: ${ended.text.trim().slice(-300)}` };
  }
  const { version } = JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
  return { version, bin: join(folder, "node_modules", ".bin", bin) };
}
