import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { test as base, type Page } from "@playwright/test";

const BELAY = fileURLToPath(new URL("../apps/agent-gateway/bin/belay.mjs", import.meta.url));
const ADMIN = { email: "admin@belay.test", password: "correct horse battery" };

/** The gateway as people run it: the built program in a process of its own, with a data dir of its own. */
export class GatewayProcess {
  readonly url: string;
  readonly setupLink: string | null;
  readonly #child: ChildProcess;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(child: ChildProcess, env: NodeJS.ProcessEnv, url: string, setupLink: string | null) {
    this.#child = child;
    this.#env = env;
    this.url = url;
    this.setupLink = setupLink;
  }

  static async start(folder: string, extraEnv: NodeJS.ProcessEnv): Promise<GatewayProcess> {
    const { PATH } = process.env;
    const env = {
      PATH,
      HOME: folder,
      BELAY_PORT: "0",
      BELAY_DATA_DIR: join(folder, "data"),
      BELAY_WORKSPACE: join(folder, "work"),
      ...extraEnv,
    };
    const child = spawn(process.execPath, [BELAY, "start"], { env, stdio: ["ignore", "pipe", "inherit"] });
    let setupLink: string | null = null;
    for await (const line of createInterface({ input: child.stdout })) {
      setupLink = /(http\S+\/setup#\S+)/.exec(line)?.[1] ?? setupLink;
      const ready = /^Belay is ready at (\S+)$/.exec(line);
      if (ready?.[1]) {
        child.stdout.resume();
        return new GatewayProcess(child, env, ready[1], setupLink);
      }
    }
    throw new Error("The gateway ended before it was ready.");
  }

  /** Runs `belay …` against this gateway. */
  async cli(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [BELAY, ...args], { env: this.#env });
    return stdout;
  }

  /** A new agent over MCP, with the official client. */
  async connectAgent(name: string): Promise<Client> {
    const { token } = JSON.parse(await this.cli("agent", "add", name, "--json")) as { token: string };
    const client = new Client({ name, version: "1.0.0" });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", this.url), { requestInit }));
    return client;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    await ended;
  }
}

export const test = base.extend<{ gateway: GatewayProcess; gatewayEnv: NodeJS.ProcessEnv }>({
  gatewayEnv: [{ BELAY_ADMIN_EMAIL: ADMIN.email, BELAY_ADMIN_PASSWORD: ADMIN.password }, { option: true }],
  gateway: async ({ gatewayEnv }, use) => {
    const folder = mkdtempSync(join(tmpdir(), "belay-e2e-"));
    mkdirSync(join(folder, "work"));
    const gateway = await GatewayProcess.start(folder, gatewayEnv);
    await use(gateway);
    await gateway.stop();
    rmSync(folder, { recursive: true, force: true });
  },
});

export { expect } from "@playwright/test";

export async function signIn(page: Page, gateway: GatewayProcess): Promise<void> {
  await page.goto(gateway.url);
  await page.getByLabel("Email").fill(ADMIN.email);
  await page.getByLabel("Password").fill(ADMIN.password);
  await page.getByRole("button", { name: "Sign in" }).click();
}
