import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Link, openLink } from "./cut-link.ts";
import type { Namespace, Namespaces } from "./namespaces.ts";
import type { ProvedGateway } from "./proved-gateway.ts";
import { openSmallDisk } from "./small-disk.ts";

const BELAY = fileURLToPath(new URL("../../../bin/belay.mjs", import.meta.url));
const DISK_MB = 24;
const JOINED_MS = 120_000;

interface Options {
  name: string;
  folder: string;
  gateway: ProvedGateway;
  /** Null if there are none: then a proxy on loopback is cut. */
  network: Namespaces | null;
}

/** A real `belay host --join` on a machine of its own, as far as network and disk go. */
export class ProvedHost {
  readonly name: string;
  readonly gateway: ProvedGateway;
  readonly workspace: string;
  readonly disk: ReturnType<typeof openSmallDisk>;
  readonly #link: Link;
  readonly #namespace: Namespace | null;
  readonly #url: string;
  #token: string | undefined;
  #child: ChildProcess | null = null;
  #said = "";

  static async open({ name, folder, gateway, network }: Options): Promise<ProvedHost> {
    const { token } = (await gateway.call("machines.add", { name })) as { token: string };
    const address = network?.address ?? "127.0.0.1";
    const link = await openLink(gateway.port, { address, host: `127.0.0.1:${gateway.port}` });
    const workspace = join(folder, `${name}-work`);
    mkdirSync(workspace);
    return new ProvedHost({ name, gateway, token, link, address, workspace }, join(folder, name), network);
  }

  private constructor(
    made: { name: string; gateway: ProvedGateway; token: string; link: Link; address: string; workspace: string },
    dataDir: string,
    network: Namespaces | null,
  ) {
    this.name = made.name;
    this.gateway = made.gateway;
    this.workspace = made.workspace;
    this.disk = openSmallDisk(dataDir, DISK_MB);
    this.#token = made.token;
    this.#link = made.link;
    this.#namespace = network?.add() ?? null;
    this.#url = `http://${made.address}:${made.link.port}`;
  }

  async start(): Promise<void> {
    const [program = "", ...args] = [
      ...(this.#namespace?.prefix ?? []),
      ...[process.execPath, BELAY, "host", "--join", this.#url],
    ];
    const child = spawn(program, args, {
      env: {
        ...{ PATH: process.env.PATH, HOME: this.workspace },
        ...{ BELAY_DATA_DIR: this.disk.folder, BELAY_WORKSPACE: this.workspace },
        BELAY_INSECURE_HTTP: "yes", // the network is this machine's own
        ...(this.#token === undefined ? {} : { BELAY_JOIN_TOKEN: this.#token }),
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk) => {
        this.#said = (this.#said + chunk).slice(-10_000);
      });
    const until = performance.now() + JOINED_MS;
    while (!(await this.gateway.connectedMachines()).includes(this.name)) {
      if (child.exitCode !== null || performance.now() > until)
        throw new Error(`${this.name} has not joined: ${this.#said}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    this.#token = undefined; // it works once
  }

  cut(): void {
    if (this.#namespace) this.#namespace.cut();
    else this.#link.cut();
  }

  heal(): void {
    if (this.#namespace) this.#namespace.heal();
    else this.#link.heal();
  }

  /** Its terminals end with it. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  async close(): Promise<void> {
    await this.kill();
    await this.#link.close();
    this.disk.close();
  }
}
