import { setTimeout as delay } from "node:timers/promises";
import { ByteWatch } from "./byte-watch.ts";
import type { ProvedGateway } from "./proved-gateway.ts";
import type { ProvedHost } from "./proved-host.ts";

const TICK = "n=0; while :; do n=$((n+1)); echo tick-$n; sleep 0.2; done";
const GOES_ON_MS = 60_000;

/** A terminal on each machine that counts and never stops, with a viewer that misses nothing. */
export class Tickers {
  readonly #gateways: readonly ProvedGateway[];
  readonly #tokens = new Map<ProvedHost, string>();
  readonly #watches = new Map<ProvedHost, ByteWatch>();
  readonly #problems: string[] = [];
  bytesBreaks = 0;
  counted = 0;

  constructor(gateways: readonly ProvedGateway[]) {
    this.#gateways = gateways;
  }

  async start(host: ProvedHost): Promise<void> {
    const token = this.#tokens.get(host) ?? (await this.#addAgent(host));
    const id = await this.#spawn(host, token);
    this.#watches.set(host, new ByteWatch(id, this.#gateways));
    const reply = await host.gateway.call("terminals.run", { id, command: TICK, wait: { idleMs: 100 } }, token, 60_000);
    const { status } = reply as { status: string };
    if (status !== "ran" && status !== "running") throw new Error(`Counting did not start: ${JSON.stringify(reply)}`);
  }

  /** Its host was killed, and the terminal with it. */
  async lost(host: ProvedHost): Promise<void> {
    const watch = this.#watches.get(host);
    this.#watches.delete(host);
    if (watch) await this.#end(watch);
  }

  /** Every terminal whose host lives goes on, and its viewer sees it. */
  async untilAllGoOn(): Promise<void> {
    const until = performance.now() + GOES_ON_MS;
    const before = new Map([...this.#watches.values()].map((watch) => [watch, watch.count]));
    for (const [watch, count] of before)
      while (watch.count < count + 2) {
        if (performance.now() > until) {
          this.#problems.push(`${watch.id} does not go on after ${count}`);
          break;
        }
        await delay(50);
      }
  }

  async stop(): Promise<string[]> {
    await Promise.all([...this.#watches.values()].map((watch) => this.#end(watch)));
    return this.#problems;
  }

  /** Tried again while the gateway does not hear the others: on a busy machine it may be late without any fault. */
  async #spawn(host: ProvedHost, token: string): Promise<string> {
    const until = performance.now() + GOES_ON_MS;
    for (;;) {
      try {
        return ((await host.gateway.call("terminals.spawn", {}, token)) as { id: string }).id;
      } catch (error) {
        if (performance.now() > until || !String(error).includes("NATS server")) throw error;
        await delay(200);
      }
    }
  }

  async #addAgent(host: ProvedHost): Promise<string> {
    const added = await host.gateway.call("agents.add", { name: `counts-on-${host.name}`, machines: host.name });
    const { token } = added as { token: string };
    this.#tokens.set(host, token);
    return token;
  }

  async #end(watch: ByteWatch): Promise<void> {
    await watch.stop();
    this.#problems.push(...watch.problems);
    this.bytesBreaks += watch.breaks;
    this.counted += watch.count;
  }
}
