import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { endGroup, ROOT, TOOL_ENV } from "./run.mjs";
import { setUp } from "./setup.mjs";

// `npm run dev`: the gateway restarts and the console reloads as files change, both on the gateway's port.
await setUp({ build: false });
const webPort = await freePort();
const web = start(
  join(ROOT, "apps/web/node_modules/.bin/next"),
  ["dev", "--port", String(webPort), "--hostname", "127.0.0.1"],
  join(ROOT, "apps/web"),
  {},
);
const gateway = start(
  "tsx",
  ["watch", "--clear-screen=false", "src/cli.ts", "start"],
  join(ROOT, "apps/agent-gateway"),
  {
    BELAY_WEB_DEV_URL: `http://127.0.0.1:${webPort}`,
    BELAY_DATA_DIR: process.env.BELAY_DATA_DIR ?? join(ROOT, ".belay"),
    BELAY_WORKSPACE: process.env.BELAY_WORKSPACE ?? ROOT,
  },
);

let isStopping = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop(0));
web.on("close", () => stop(1));
gateway.on("close", () => stop(1));

function stop(code) {
  if (isStopping) return;
  isStopping = true;
  process.exitCode = code;
  for (const child of [web, gateway]) if (child.exitCode === null) endGroup(child);
}

function start(command, args, cwd, env) {
  return spawn(command, args, {
    cwd,
    env: { ...TOOL_ENV, ...env },
    stdio: ["ignore", "inherit", "inherit"],
    detached: true,
  });
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
