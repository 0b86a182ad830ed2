import { setTimeout as delay } from "node:timers/promises";
import type { PostgresServer } from "../database/postgres-server.ts";
import type { NatsServer } from "./nats-server.ts";
import type { ProvedGateway } from "./proved-gateway.ts";
import type { ProvedHost } from "./proved-host.ts";
import type { SmallDisk } from "./small-disk.ts";
import type { Tickers } from "./tickers.ts";

export interface Scene {
  gateways: readonly ProvedGateway[];
  hosts: readonly ProvedHost[];
  postgres: PostgresServer;
  postgresDisk: (SmallDisk & { isSmall: boolean }) | null;
  nats: NatsServer;
  tickers: Tickers;
}

interface Target {
  gateway: ProvedGateway;
  host: ProvedHost;
  holdMs: number;
}

type Fault = (scene: Scene, target: Target) => Promise<void>;

/** Each begins, lasts for a while and ends. What comes after it is measured. */
const FAULTS: Record<string, Fault> = {
  "kill -9 of a gateway": async (_, { gateway, holdMs }) => {
    await gateway.kill();
    await delay(holdMs);
    await gateway.start();
  },
  "a gateway is stopped (SIGSTOP)": async (_, { gateway, holdMs }) => {
    gateway.signal("SIGSTOP");
    await delay(holdMs);
    gateway.signal("SIGCONT");
  },
  "cut between a gateway and NATS": async (_, { gateway, holdMs }) => {
    gateway.link.cut();
    await delay(holdMs);
    gateway.link.heal();
  },
  "kill -9 of NATS": async ({ nats }, { holdMs }) => {
    await nats.kill();
    await delay(holdMs);
    await nats.start();
  },
  "kill -9 of PostgreSQL": async ({ postgres }, { holdMs }) => {
    await postgres.kill("kill -9");
    await delay(holdMs);
    await postgres.start();
  },
  "kill -9 of a host": async ({ tickers }, { host, holdMs }) => {
    await host.kill();
    await tickers.lost(host);
    await delay(holdMs);
    await host.start();
    await tickers.start(host);
  },
  "cut between a host and its gateway": async (_, { host, holdMs }) => {
    host.cut();
    await delay(holdMs);
    host.heal();
  },
  "full disk of a host": async (_, { host, holdMs }) => {
    host.disk.fill();
    await delay(holdMs);
    host.disk.free();
  },
  "full disk of a gateway": async (_, { gateway, holdMs }) => {
    gateway.disk?.fill();
    await delay(holdMs);
    gateway.disk?.free();
  },
  "full disk of PostgreSQL": async ({ postgres, postgresDisk }, { holdMs }) => {
    postgresDisk?.fill();
    await delay(holdMs);
    postgresDisk?.free();
    // A server that could not write its log has stopped.
    if (!(await postgres.answers())) {
      await postgres.kill("kill -9");
      await postgres.start();
    }
  },
};

/** Those that this machine allows: some need hosts, others small disks, which need root. */
export function possibleFaults({ hosts, gateways, postgresDisk }: Scene): [name: string, fault: Fault][] {
  return Object.entries(FAULTS).filter(([name]) => {
    if (name.includes("host"))
      return hosts.length > 0 && (!name.includes("disk") || hosts.every(({ disk }) => disk.isSmall));
    if (name === "full disk of a gateway") return gateways.every(({ disk }) => disk?.isSmall);
    return name !== "full disk of PostgreSQL" || postgresDisk?.isSmall === true;
  });
}
