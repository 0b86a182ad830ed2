import { CoreError } from "../../errors.ts";
import { keyOfSeed, newSeed, type SigningKey } from "./keys.ts";

const PREFIX = "blj_";
const KEY_BYTES = 32;

/** What a machine needs to join: the key of the gateway to trust, and a key whose public half the gateway knows. */
export interface JoinToken {
  gatewayKey: string;
  key: SigningKey;
}

/** A new token as text, and the public half, which is all that the gateway keeps of it. */
export function newJoinToken(gatewayKey: string): { text: string; publicKey: string } {
  const seed = newSeed();
  const bytes = Buffer.concat([Buffer.from(gatewayKey, "base64url"), seed]);
  return { text: PREFIX + bytes.toString("base64url"), publicKey: keyOfSeed(seed).publicKey };
}

export function parseJoinToken(text: string): JoinToken {
  const trimmed = text.trim();
  const bytes = Buffer.from(trimmed.slice(PREFIX.length), "base64url");
  if (!trimmed.startsWith(PREFIX) || bytes.byteLength !== 2 * KEY_BYTES) {
    throw new CoreError(
      "join-refused",
      `This is not a join token: one starts with ${PREFIX} and has ${PREFIX.length + Math.ceil((8 * KEY_BYTES) / 3)} characters. Make one: belay machine add NAME`,
    );
  }
  return {
    gatewayKey: bytes.subarray(0, KEY_BYTES).toString("base64url"),
    key: keyOfSeed(bytes.subarray(KEY_BYTES)),
  };
}
