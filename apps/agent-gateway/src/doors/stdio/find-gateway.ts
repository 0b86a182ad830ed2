import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { inheritedEnv, type Settings } from "../../env.ts";
import { BELAY } from "../../paths.ts";
import { isGatewayUp } from "../control/client.ts";
import { readControlToken } from "../control/control-token.ts";
import { controlSocketPath } from "../control/socket-path.ts";
import type { GatewayAddress } from "./post.ts";

const START_TIMEOUT_MS = 60_000;
const LOOK_EVERY_MS = 100;
/** Our own attempt failed: one that was started at the same moment may still be coming up. */
const AFTER_ITS_END_MS = 5_000;

const DEFAULT_AGENT = "local";

interface Asked {
  /** Null: not given. */
  agent: string | null;
  tools: { toolset: string; structured: boolean };
  /** Prints a message for the person, on stderr: stdout carries the protocol. */
  say: (text: string) => void;
}

/** Finds the gateway: the one in the settings, otherwise the local one, which is started if necessary. */
export async function findGateway(settings: Settings, { agent, tools, say }: Asked): Promise<GatewayAddress> {
  const { url, token } = settings.client;
  if (url !== null || token !== null) {
    if (agent !== null) {
      throw new Error(`BELAY_TOKEN and --agent ${agent} both choose the agent. Leave one of them out.`);
    }
    if (token === null) throw new Error(`BELAY_URL needs BELAY_TOKEN beside it: ${BELAY} agent add NAME prints one.`);
    const host = ["0.0.0.0", "::"].includes(settings.host) ? "127.0.0.1" : settings.host;
    const base = url ?? `http://${host}:${settings.port}`;
    const endpoint = new URL(`${base.replace(/\/$/, "")}/mcp`);
    askFor(tools, endpoint);
    return { type: "url", url: endpoint, token };
  }
  if (!(await isGatewayUp(settings.dataDir))) await startGateway(settings, say);
  const endpoint = new URL("http://belay/mcp");
  askFor(tools, endpoint);
  endpoint.searchParams.set("agent", agent ?? DEFAULT_AGENT);
  const controlToken = await readControlToken(settings.dataDir);
  if (controlToken === null) {
    throw new Error(
      `Belay's control token in ${settings.dataDir} cannot be read. Run this as the user that Belay runs as.`,
    );
  }
  return { type: "socket", path: controlSocketPath(settings.dataDir), url: endpoint, controlToken };
}

function askFor({ toolset, structured }: Asked["tools"], endpoint: URL): void {
  endpoint.searchParams.set("toolset", toolset);
  if (structured) endpoint.searchParams.set("structured", "1");
}

/** Starts a detached gateway: other clients and the console may use it after this process has ended. */
async function startGateway(
  { dataDir, databaseUrl, firstAdmin }: Settings,
  say: (text: string) => void,
): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const logFile = join(dataDir, "gateway.log");
  const log = await open(logFile, "a", 0o600);
  const [program = "", script = ""] = process.argv;
  const child = spawn(program, [script, "start", "--no-setup-link"], {
    detached: true,
    stdio: ["ignore", log.fd, log.fd],
    // It removes the passwords from its environment before anything else.
    env: {
      ...inheritedEnv(),
      // Not also the file that it came from: both together are refused.
      ...(firstAdmin ? { BELAY_ADMIN_PASSWORD: firstAdmin.password, BELAY_ADMIN_PASSWORD_FILE: undefined } : {}),
      ...(databaseUrl ? { BELAY_DATABASE_URL: databaseUrl, BELAY_DATABASE_URL_FILE: undefined } : {}),
    },
  });
  await once(child, "spawn");
  await log.close();
  child.unref();
  let deadlineMs = START_TIMEOUT_MS;
  let waitedMs = 0;
  child.once("exit", () => (deadlineMs = Math.min(deadlineMs, waitedMs + AFTER_ITS_END_MS)));
  for (; waitedMs < deadlineMs; waitedMs += LOOK_EVERY_MS) {
    if (await isGatewayUp(dataDir)) {
      say(`Started Belay (process ${child.pid}; it keeps running until you end it). Its address is in ${logFile}`);
      return;
    }
    await delay(LOOK_EVERY_MS);
  }
  throw new Error(`Belay did not start. ${logFile} says why.`);
}
