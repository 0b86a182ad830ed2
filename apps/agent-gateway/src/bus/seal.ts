import { createHmac, timingSafeEqual } from "node:crypto";
import { Envelope } from "./messages.ts";

/** NATS takes at most 1 MB by default; nothing that gateways tell each other comes near it. */
const MAX_BYTES = 900 * 1024;
const MAC_BYTES = 32;

/**
 * Signs what gateways tell each other with their common secret, so that a program that can reach the NATS server but is
 * no gateway cannot speak for one.
 */
export class Seal {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  close(envelope: Envelope): Uint8Array {
    const text = Buffer.from(JSON.stringify(envelope));
    if (text.byteLength > MAX_BYTES)
      throw new Error(`A message for other gateways has ${text.byteLength} bytes; ${MAX_BYTES} is the limit.`);
    return Buffer.concat([this.#mac(text), text]);
  }

  /** Null if it was not signed by a gateway, or is not a message. */
  open(sealed: Uint8Array): Envelope | null {
    const text = sealed.subarray(MAC_BYTES);
    if (sealed.byteLength <= MAC_BYTES || sealed.byteLength > MAX_BYTES + MAC_BYTES) return null;
    if (!timingSafeEqual(sealed.subarray(0, MAC_BYTES), this.#mac(text))) return null;
    try {
      return Envelope.parse(JSON.parse(Buffer.from(text).toString()));
    } catch {
      return null; // signed, but by a version that speaks differently
    }
  }

  #mac(text: Uint8Array): Buffer {
    return createHmac("sha256", this.#key).update(text).digest();
  }
}
