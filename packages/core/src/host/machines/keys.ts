import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from "node:crypto";

/** The DER prefixes of the 32 bytes of an Ed25519 key. */
const PRIVATE_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");
const PUBLIC_PREFIX = Buffer.from("302a300506032b6570032100", "hex");
const KEY_BYTES = 32;

/** An Ed25519 key. The other side identifies it by its public half, as text. */
export interface SigningKey {
  publicKey: string;
  sign(bytes: Uint8Array): Buffer;
}

export function newSeed(): Buffer {
  return randomBytes(KEY_BYTES);
}

/** The key of a seed. Anyone who has the seed can sign. */
export function keyOfSeed(seed: Uint8Array): SigningKey {
  if (seed.byteLength !== KEY_BYTES) throw new Error(`A key has ${KEY_BYTES} bytes, not ${seed.byteLength}.`);
  return keyOf(createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, seed]), format: "der", type: "pkcs8" }));
}

export function keyOfPem(pem: string): SigningKey {
  return keyOf(createPrivateKey(pem));
}

export function newKeyPem(): string {
  return generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

/** Checks signatures of the key with this public half. Throws if the text is not a key. */
export function verifierOf(publicKey: string): (bytes: Uint8Array, signature: Uint8Array) => boolean {
  const raw = Buffer.from(publicKey, "base64url");
  if (raw.byteLength !== KEY_BYTES) throw new Error("This is not a public key.");
  const key = createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, raw]), format: "der", type: "spki" });
  return (bytes, signature) => verify(null, bytes, key, signature);
}

function keyOf(privateKey: KeyObject): SigningKey {
  const spki = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  return {
    publicKey: spki.subarray(PUBLIC_PREFIX.byteLength).toString("base64url"),
    sign: (bytes) => sign(null, bytes, privateKey),
  };
}
