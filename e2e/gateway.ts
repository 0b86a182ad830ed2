import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { test as base, expect, type Locator, type Page } from "@playwright/test";

const BELAY = fileURLToPath(new URL("../apps/agent-gateway/bin/belay.mjs", import.meta.url));

export interface Credentials {
  email: string;
  password: string;
}

export const ADMIN: Credentials = { email: "admin@belay.test", password: "correct horse battery" };

/** The gateway as people run it: the built program in a separate process, with its own data folder. */
export class GatewayProcess {
  readonly url: string;
  readonly setupLink: string | null;
  readonly #child: ChildProcess;
  readonly #env: NodeJS.ProcessEnv;
  #cookie: string | null = null;

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

  /** Changes the workspace from outside, as a person's editor would. */
  writeFile(name: string, text: string): void {
    writeFileSync(join(String(this.#env.BELAY_WORKSPACE), name), text);
  }

  /** Runs `belay …` against this gateway. */
  async cli(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [BELAY, ...args], { env: this.#env });
    return stdout;
  }

  /** A new agent over MCP, with the official client. */
  async connectAgent(name: string, { profile = "standard" } = {}): Promise<Client> {
    const { token } = (await this.#asAdmin("agents.add", { name, profile })) as { token: string };
    return this.connect(name, token);
  }

  async connect(name: string, token: string): Promise<Client> {
    const client = new Client({ name, version: "1.0.0" });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL("/mcp?structured=1", this.url), { requestInit }));
    return client;
  }

  async addPerson(name: string, role: "viewer" | "operator" | "admin"): Promise<Credentials> {
    const person = { email: `${name.toLowerCase()}@belay.test`, password: `the password of ${name}` };
    await this.#asAdmin("people.add", { ...person, name, role });
    return person;
  }

  /** Ends every call that waits for a person. */
  async freeze(): Promise<void> {
    await this.#asAdmin("gateway.freeze", { scope: "*" });
  }

  /** Calls a procedure. The command line would do the same, in three times the time of a page. */
  async #asAdmin(path: string, input: unknown): Promise<unknown> {
    const post = async (to: string, body: unknown, cookie = "") => {
      const headers = { "content-type": "application/json", origin: this.url, cookie };
      const answer = await fetch(this.url + to, { method: "POST", headers, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${to}: ${await answer.text()}`);
      return answer;
    };
    this.#cookie ??= (await post("/api/auth/sign-in/email", ADMIN)).headers
      .getSetCookie()
      .map((each) => each.split(";", 1)[0])
      .join("; ");
    const answer = await post(`/trpc/${path}`, input, this.#cookie);
    return ((await answer.json()) as { result: { data: unknown } }).result.data;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    await ended;
  }
}

export const test = base.extend<{ gateway: GatewayProcess; gatewayEnv: NodeJS.ProcessEnv; security: object }>({
  /** Settings of `security.json` besides those that all tests have. */
  security: [{}, { option: true }],
  gatewayEnv: [{ BELAY_ADMIN_EMAIL: ADMIN.email, BELAY_ADMIN_PASSWORD: ADMIN.password }, { option: true }],
  gateway: async ({ gatewayEnv, security }, use) => {
    const folder = mkdtempSync(join(tmpdir(), "belay-e2e-"));
    mkdirSync(join(folder, "work"));
    mkdirSync(join(folder, "data"));
    // By default an agent's own password prompt needs approval; these tests are about what happens after it.
    const rules = [{ id: "may-ask", decision: "allow", program: "read" }];
    writeFileSync(join(folder, "data", "security.json"), JSON.stringify({ rules, ...security }));
    const gateway = await GatewayProcess.start(folder, gatewayEnv);
    await use(gateway);
    await gateway.stop();
    rmSync(folder, { recursive: true, force: true });
  },
});

export { expect };

/** Signs in without the form, which has its own test, and opens the console. */
export async function signIn(page: Page, gateway: GatewayProcess, person: Credentials = ADMIN): Promise<void> {
  const answer = await page.request.post(`${gateway.url}/api/auth/sign-in/email`, { data: person });
  expect(answer.status()).toBe(200);
  await page.goto(gateway.url);
  await expect(page.getByRole("button", { name: /, (viewer|operator|admin)$/ })).toBeVisible();
}

/** Calls a procedure of the gateway as the person who is signed in on this page. */
export async function call(page: Page, gateway: GatewayProcess, path: string, input: unknown): Promise<unknown> {
  const answer = await page.request.post(`${gateway.url}/trpc/${path}`, { data: input });
  expect(answer.status(), await answer.text()).toBe(200);
  return ((await answer.json()) as { result: { data: unknown } }).result.data;
}

/** Runs a command as an agent does over MCP. */
export function run(agent: Client, command: string, more: Record<string, unknown> = {}) {
  return agent.callTool({ name: "terminal", arguments: { command, ...more } });
}

/** What a terminal announces once its output arrives. */
export const LIVE = /^(Live|Live, read-only|You’re typing)$/;

/** Opens the only terminal with its text readable: xterm paints on a canvas, and keeps text only for screen readers. */
export async function openTerminal(page: Page): Promise<Locator> {
  await page.evaluate(() => localStorage.setItem("belay-screen-reader", "on"));
  await page
    .getByRole("list", { name: /^Terminals/ })
    .getByRole("link")
    .first()
    .click();
  await expect(page.getByText(LIVE)).toBeVisible();
  return page.locator(".xterm-accessibility-tree");
}

/** Scrolls through an approval until all of it was in view. The button disappears then, maybe while it is being pressed. */
export async function readToTheEnd(asks: Locator): Promise<void> {
  const more = asks.getByRole("button", { name: "Show it", exact: true });
  await expect(async () => {
    if (await more.isVisible()) await more.click({ timeout: 1000 });
    expect(await more.count()).toBe(0);
  }).toPass({ intervals: [20] });
}
