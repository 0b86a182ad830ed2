import { hkdfSync } from "node:crypto";
import { hostname } from "node:os";
import type { Logger } from "pino";
import type { Bus } from "../bus/bus.ts";
import { LocalHub } from "../bus/local-bus.ts";
import { NatsBus } from "../bus/nats-bus.ts";
import { Seal } from "../bus/seal.ts";
import type { Settings } from "../env.ts";
import type { EventBus } from "../events.ts";
import { Cluster } from "./cluster.ts";
import { RelaySeal } from "./relay-seal.ts";

interface Deps {
  settings: Settings;
  /** This gateway, by its data folder. */
  id: string;
  url: () => string;
  events: EventBus;
  now: () => number;
  log: Logger;
}

export interface ClusterRoom {
  cluster: Cluster;
  /** Proves requests that one gateway passes on to another; null without others. */
  relaySeal: RelaySeal | null;
  /** Signs the sessions of people on all gateways; null: each has its own secret. */
  sharedSessionSecret: string | null;
}

/** Joins the other gateways, if there are any. */
export async function openCluster({ settings, id, ...deps }: Deps): Promise<ClusterRoom> {
  const { cluster: shared } = settings;
  const name = shared?.name ?? hostname();
  if (!shared) {
    const bus = new LocalHub().join(id);
    return {
      cluster: new Cluster({ ...deps, bus, name, deafAfterMs: null }),
      relaySeal: null,
      sharedSessionSecret: null,
    };
  }
  const seal = new Seal(derive(shared.secret, "what gateways tell each other"));
  const bus: Bus = await NatsBus.open({ self: id, address: shared.nats, seal, log: deps.log });
  const cluster = new Cluster({ ...deps, bus, name, deafAfterMs: shared.deafAfterMs });
  return {
    cluster,
    relaySeal: new RelaySeal(derive(shared.secret, "requests that gateways pass on"), cluster),
    sharedSessionSecret: derive(shared.secret, "the sessions of people"),
  };
}

/** A key for one purpose: what is signed for one cannot be used for another. */
function derive(secret: string, purpose: string): string {
  return Buffer.from(hkdfSync("sha256", secret, "belay", purpose, 32)).toString("base64url");
}
