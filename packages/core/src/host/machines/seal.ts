import { createHash } from "node:crypto";
import { z } from "zod";
import { BrokenFrameError } from "../wire/frames.ts";
import type { Seal, Unseal } from "../wire/wire.ts";
import type { GatewayClock } from "./gateway-clock.ts";
import { type SigningKey, verifierOf } from "./keys.ts";

/** A call that takes longer to arrive is refused: a command must not start long after it was judged. */
export const CALL_DEADLINE_MS = 10_000;

const Sealed = z.object({
  n: z.int().positive(),
  by: z.int(),
  sig: z.string(),
  json: z.string(),
});

/**
 * Signs every message from the gateway to a machine. The signature covers the message with its bytes, the connection, a
 * sequence number and a deadline: a message that was changed, added, repeated, reordered or delayed on the way is not
 * acted on.
 */
export function createSeal(key: SigningKey, connection: Buffer, now: () => number): Seal {
  let last = 0;
  return (json, bytes) => {
    const n = ++last;
    const by = now() + CALL_DEADLINE_MS;
    const sig = key.sign(statement({ connection, n, by, json, bytes })).toString("base64url");
    return JSON.stringify({ n, by, sig, json });
  };
}

/** Accepts only messages that the pinned gateway signed for this connection, in order. */
export function createUnseal(gatewayKey: string, connection: Buffer, clock: GatewayClock): Unseal {
  const verify = verifierOf(gatewayKey);
  let last = 0;
  return (text, bytes) => {
    const sealed = Sealed.safeParse(safeJson(text));
    if (!sealed.success) throw new BrokenFrameError("A message is not signed.");
    const { n, by, sig, json } = sealed.data;
    if (!verify(statement({ connection, n, by, json, bytes }), Buffer.from(sig, "base64url"))) {
      throw new BrokenFrameError("A message was not signed by the gateway for this connection.");
    }
    if (n !== last + 1) throw new BrokenFrameError(`Message ${n} came after message ${last}.`);
    last = n;
    return { json, isLate: clock.now() > by };
  };
}

function statement(of: { connection: Buffer; n: number; by: number; json: string; bytes: Uint8Array }): Buffer {
  const numbers = Buffer.alloc(16);
  numbers.writeDoubleBE(of.n, 0);
  numbers.writeDoubleBE(of.by, 8);
  return Buffer.concat([
    Buffer.from("belay-message-1\0"),
    of.connection,
    numbers,
    createHash("sha256").update(of.json).digest(),
    createHash("sha256").update(of.bytes).digest(),
  ]);
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // not JSON, so not signed
  }
}
