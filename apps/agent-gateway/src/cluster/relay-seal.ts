import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isSameSecret } from "@belay/core";
import { z } from "zod";

/** On whose behalf another gateway passes a request on. It names them; the receiver reads their rights itself. */
const Relayed = z.discriminatedUnion("type", [
  z.object({ type: z.literal("session"), id: z.string().max(200) }),
  z.object({ type: z.literal("agent"), id: z.string().max(100) }),
  /** The request carries its own token or cookie. */
  z.object({ type: z.literal("own") }),
]);
export type Relayed = z.infer<typeof Relayed>;

const Sealed = z.object({ from: z.string().max(100), to: z.string().max(100), for: Relayed });

export const RELAY_HEADER = "x-belay-relay";

/**
 * Proves that a request comes from another gateway of this cluster, and for whom. It is valid only for the gateway that it
 * was made for, until that restarts. A request with it is never passed on again.
 */
export class RelaySeal {
  readonly #key: string;
  readonly #here: { self: string; boot: string };

  constructor(key: string, here: { self: string; boot: string }) {
    this.#key = key;
    this.#here = here;
  }

  headersFor(boot: string, relayed: Relayed): Record<string, string> {
    const body = Buffer.from(JSON.stringify({ from: this.#here.self, to: boot, for: relayed })).toString("base64url");
    return { [RELAY_HEADER]: `${body}.${this.#mac(body)}` };
  }

  /** Null if the header is missing, forged, or meant for another gateway. */
  read(headers: IncomingHttpHeaders): Relayed | null {
    const header = headers[RELAY_HEADER];
    const [body, mac, ...more] = typeof header === "string" && header.length < 2000 ? header.split(".") : [];
    if (!body || !mac || more.length > 0 || !isSameSecret(mac, this.#mac(body))) return null;
    try {
      const sealed = Sealed.parse(JSON.parse(Buffer.from(body, "base64url").toString()));
      return sealed.to === this.#here.boot ? sealed.for : null;
    } catch {
      return null; // signed by a version that speaks differently
    }
  }

  #mac(body: string): string {
    return createHmac("sha256", this.#key).update(body).digest("base64url");
  }
}
