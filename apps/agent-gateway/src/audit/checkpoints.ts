import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { z } from "zod";
import { canonical } from "./chain.ts";

/** A signed statement: at this moment the chain had this many rows, and ended in this hash. */
const Checkpoint = z.strictObject({
  genesis: z.string(),
  seq: z.int().min(0),
  hash: z.string(),
  at: z.int(),
  signature: z.string(),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

/**
 * Signed checkpoints, kept in a file outside the database.
 *
 * A chain alone does not notice that its tail was cut or that all of it was
 * written anew; whoever does that would have to forge these too. Copy the file
 * and the public key elsewhere, and even the owner of this machine cannot.
 */
export class Checkpoints {
  readonly #file: string;
  readonly #key: KeyObject;

  constructor({ file, keyFile }: { file: string; keyFile: string }) {
    this.#file = file;
    this.#key = loadKey(keyFile);
    dropHalfLine(file);
  }

  /** On disk when it returns. */
  append(checkpoint: Omit<Checkpoint, "signature">): void {
    const signature = sign(null, Buffer.from(canonical(checkpoint)), this.#key).toString("base64");
    const descriptor = openSync(this.#file, "a", 0o600);
    try {
      writeSync(descriptor, `${JSON.stringify({ ...checkpoint, signature })}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  /** Every line of the file: a checkpoint, or null where it is not one or its signature is wrong. */
  readAll(): (Checkpoint | null)[] {
    if (!existsSync(this.#file)) return [];
    const lines = readFileSync(this.#file, "utf8").split("\n").slice(0, -1);
    return lines.map((line) => this.#read(line));
  }

  #read(line: string): Checkpoint | null {
    const parsed = Checkpoint.safeParse(parseJson(line));
    if (!parsed.success) return null;
    const { signature, ...signed } = parsed.data;
    const isGenuine = verify(
      null,
      Buffer.from(canonical(signed)),
      createPublicKey(this.#key),
      Buffer.from(signature, "base64"),
    );
    return isGenuine ? parsed.data : null;
  }
}

function loadKey(file: string): KeyObject {
  if (!existsSync(file)) {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    writeFileSync(file, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600, flag: "wx" });
    writeFileSync(`${file}.pub`, publicKey.export({ type: "spki", format: "pem" }), { mode: 0o644 });
  }
  return createPrivateKey(readFileSync(file));
}

/** What follows the last newline was cut by a crash in the middle of a write: it never counted. */
function dropHalfLine(file: string): void {
  if (!existsSync(file)) return;
  const text = readFileSync(file);
  const end = text.lastIndexOf("\n") + 1;
  if (end < text.length) truncateSync(file, end);
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // not a checkpoint, which is what the caller then says
  }
}
