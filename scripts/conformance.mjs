import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fail, ROOT, run } from "./run.mjs";
import { setUp } from "./setup.mjs";

// `npm run conformance`: the official MCP conformance suite and the MCP inspector against a real gateway.
// Both are installed on the first run, which needs the network.
const TOOLS = {
  "@modelcontextprotocol/conformance": "0.2.0-alpha.12",
  "@modelcontextprotocol/inspector": "2.12.0",
};
const REVISIONS = ["2025-11-25", "2026-07-28"];
const TOOLS_DIR = join(ROOT, "node_modules", ".cache", "belay-conformance");
const BELAY = join(ROOT, "apps", "agent-gateway", "bin", "belay.mjs");

await setUp();
await installTools();
const dir = mkdtempSync(join(tmpdir(), "belay-conformance-"));
const gateway = await startGateway(dir);
const door = await openDoor(gateway);
let failures = 0;
try {
  for (const revision of REVISIONS) {
    const expected = join(ROOT, "scripts", "conformance", `not-applicable-${revision}.yaml`);
    const args = ["server", "--url", `${door.url}/mcp`, "--requirements", revision, "--expected-failures", expected];
    await step(`conformance suite, ${revision}`, packageBin("@modelcontextprotocol/conformance", "dist/index.js"), [
      ...args,
      ...["-o", join(dir, "results")],
    ]);
  }
  const inspector = packageBin("@modelcontextprotocol/inspector", "clients/launcher/build/index.js");
  const header = ["--header", `Authorization: Bearer ${gateway.token}`];
  const http = ["--cli", `${gateway.url}/mcp?toolset=all`, "--transport", "http", ...header];
  await step("inspector, tools/list over HTTP", inspector, [...http, "--method", "tools/list"]);
  const call = ["--method", "tools/call", "--tool-name", "terminal", "--tool-arg", "command=echo inspected"];
  await step("inspector, tools/call over HTTP", inspector, [...http, ...call]);
  const stdio = ["--cli", process.execPath, BELAY, "mcp", "-e", `BELAY_DATA_DIR=${dir}`];
  await step("inspector, tools/list over stdio", inspector, [...stdio, "--method", "tools/list"]);
} finally {
  door.server.close();
  gateway.child.kill("SIGTERM");
  await once(gateway.child, "close");
  rmSync(dir, { recursive: true, force: true });
}
console.log(failures === 0 ? "\nAll applicable checks pass." : `\n${failures} failed.`);
process.exit(failures === 0 ? 0 : 1);

async function step(title, script, args) {
  console.log(`\n── ${title}`);
  const { code, text } = await run(process.execPath, [script, ...args], { output: "collect" });
  const shown = code === 0 ? text.slice(text.indexOf("=== SUMMARY ===")) : text;
  console.log(code === 0 && !text.includes("=== SUMMARY ===") ? "passed" : shown.trim());
  if (code !== 0) failures += 1;
}

async function installTools() {
  const manifest = JSON.stringify({ private: true, dependencies: TOOLS });
  mkdirSync(TOOLS_DIR, { recursive: true });
  if (existsSync(join(TOOLS_DIR, "node_modules"))) return;
  console.log("Installing the conformance suite, the inspector (once, about a minute) …");
  writeFileSync(join(TOOLS_DIR, "package.json"), manifest);
  const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts"];
  const { code, text } = await run("npm", args, { output: "collect", cwd: TOOLS_DIR });
  if (code !== 0) fail(`The conformance suite could not be installed; this needs the network.\n${text}`);
}

function packageBin(name, file) {
  return join(TOOLS_DIR, "node_modules", name, file);
}

/** A gateway for this run, with one agent. */
async function startGateway(dataDir) {
  const env = {
    PATH: process.env.PATH,
    HOME: dataDir,
    BELAY_DATA_DIR: dataDir,
    BELAY_PORT: "0",
    BELAY_WORKSPACE: tmpdir(),
  };
  const child = spawn(process.execPath, [BELAY, "start"], { env, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (chunk) => (said += chunk));
  while (!said.includes("Belay is ready at ")) {
    if (child.exitCode !== null) fail("The gateway did not start.");
    await Promise.race([once(child.stdout, "data"), once(child, "close")]);
  }
  const url = /Belay is ready at (\S+)/.exec(said)[1];
  const added = await run(process.execPath, [BELAY, "agent", "add", "conformance", "--json"], {
    output: "collect",
    env,
  });
  return { child, url, token: JSON.parse(added.text).token };
}

/** The suite cannot send tokens, so a small proxy adds one and forwards everything else unchanged. */
async function openDoor({ url, token }) {
  const target = new URL(url);
  const server = createServer((incoming, outgoing) => {
    const here = `:${server.address().port}`;
    const there = (value) => value?.replace(/^(https?:\/\/)?(localhost|127\.0\.0\.1):\d+$/, `$1${target.host}`);
    const isOurs = (value) => value?.endsWith(here);
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    for (const name of ["host", "origin"]) if (isOurs(headers[name])) headers[name] = there(headers[name]);
    const forward = request(new URL(incoming.url, target), { method: incoming.method, headers }, (response) => {
      outgoing.writeHead(response.statusCode, response.headers);
      response.pipe(outgoing);
    });
    forward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forward.destroy());
    incoming.pipe(forward);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${server.address().port}` };
}
