import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { freePort } from "../database/free-port.ts";
import { endHost } from "../end-host.ts";
import { type Link, openLink } from "./cut-link.ts";
import type { openSmallDisk } from "./small-disk.ts";

const BELAY = fileURLToPath(new URL("../../../bin/belay.mjs", import.meta.url));
export const ADMIN = { email: "admin@belay.test", password: "correct horse battery" };

interface Options {
  name: string;
  dataDir: string;
  /** The disk of its data folder. */
  disk?: ReturnType<typeof openSmallDisk>;
  natsPort: number;
  env: Record<string, string>;
}

/** The built gateway in a process of its own, with a link to NATS that can be cut. */
export class ProvedGateway {
  readonly name: string;
  readonly url: string;
  readonly link: Link;
  readonly disk: Options["disk"];
  readonly #options: Options;
  readonly port: number;
  #child: ChildProcess | null = null;
  #stderr = "";
  /** The admin's, which every gateway accepts. */
  cookie = "";

  static async open(options: Options): Promise<ProvedGateway> {
    return new ProvedGateway(options, await freePort(), await openLink(options.natsPort));
  }

  private constructor(options: Options, port: number, link: Link) {
    this.name = options.name;
    this.#options = options;
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.link = link;
    this.disk = options.disk;
  }

  async start(): Promise<void> {
    const { dataDir, env } = this.#options;
    const child = spawn(process.execPath, [BELAY, "start", "--keep-terminals"], {
      env: {
        ...{ PATH: process.env.PATH, HOME: dataDir, BELAY_DATA_DIR: dataDir, BELAY_PORT: String(this.port) },
        ...{ BELAY_ADMIN_EMAIL: ADMIN.email, BELAY_ADMIN_PASSWORD: ADMIN.password },
        ...{ BELAY_GATEWAY_NAME: this.name, BELAY_NATS_URL: `nats://127.0.0.1:${this.link.port}`, ...env },
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    child.stderr?.on("data", (chunk) => {
      // Beside its disk, which may be full.
      appendFileSync(`${dataDir}.log`, chunk);
      this.#stderr = (this.#stderr + chunk).slice(-20_000);
    });
    await new Promise<void>((resolve, reject) => {
      child.stdout?.on("data", (chunk) => String(chunk).includes("Belay is ready at") && resolve());
      child.once("exit", (code) => reject(new Error(`${this.name} ended with ${code}: ${this.#stderr}`)));
    });
    if (this.cookie === "") this.cookie = await this.#signIn();
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  /** Whether it works and knows this many others. */
  async isReady(others: number): Promise<boolean> {
    try {
      const ready = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(5000) });
      if (ready.status !== 200) return false;
      const { gateways } = (await this.call("gateway.health")) as { gateways: { problem: string | null }[] };
      return gateways.filter(({ problem }) => problem === null).length === others + 1;
    } catch {
      return false; // it is down, or still starting
    }
  }

  async connectedMachines(): Promise<string[]> {
    const all = (await this.call("machines.list").catch(() => [])) as { name: string; state: { status: string } }[];
    return all.filter(({ state }) => state.status === "connected").map(({ name }) => name);
  }

  async problems(): Promise<string> {
    const answer = await fetch(`${this.url}/readyz`, { headers: { cookie: this.cookie } }).then(
      (response) => response.text(),
      String,
    );
    return `${answer}\n${this.#stderr.slice(-2000)}`;
  }

  /** A procedure, for the admin or an agent. Throws what it answers if that is an error. */
  async call(path: string, input: unknown = {}, token?: string, timeoutMs = 60_000): Promise<unknown> {
    const response = await fetch(`${this.url}/trpc/${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(token === undefined ? { cookie: this.cookie } : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(input),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const answer = (await response.json()) as { result?: { data: unknown }; error?: { message: string } };
    if (answer.result) return answer.result.data;
    throw new Error(answer.error?.message ?? `status ${response.status}`);
  }

  /** What is wrong with the chains of the record, as this gateway sees them. */
  async verify(): Promise<string[]> {
    const report = (await this.call("audit.verify", {}, undefined, 300_000)) as { ok?: boolean };
    return report.ok === true ? [] : [`${this.name}: the record does not verify: ${JSON.stringify(report)}`];
  }

  async close(): Promise<void> {
    this.signal("SIGCONT");
    await this.kill();
    await endHost(this.#options.dataDir);
    await this.link.close();
    this.disk?.close();
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  async #signIn(): Promise<string> {
    const response = await fetch(`${this.url}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: this.url },
      body: JSON.stringify(ADMIN),
    });
    if (!response.ok) throw new Error(`Signing in at ${this.name} failed: ${response.status} ${await response.text()}`);
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
    return cookies.join("; ");
  }
}
