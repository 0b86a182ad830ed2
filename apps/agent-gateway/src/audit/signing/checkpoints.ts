import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import {
  closeSync,
  existsSync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { promisify } from "node:util";
import { z } from "zod";
import { GatewayError } from "../../errors.ts";
import { readOrCreate } from "../../store/durable-file.ts";
import { canonical } from "../chain.ts";

/** How far the chain of another gateway was, seen by the one that signs. */
const Binding = z.strictObject({
  gateway: z.int().min(0),
  genesis: z.string(),
  seq: z.int().min(0),
  hash: z.string(),
  /** A seal for a gateway that was retired: its rows up to here were deleted because of their age. */
  seals: z.literal(true).optional(),
});
export type Binding = z.infer<typeof Binding>;

/** A signed statement: at this moment the chain had this many rows, and ended in this hash. */
const Checkpoint = z.strictObject({
  genesis: z.string(),
  seq: z.int().min(0),
  hash: z.string(),
  at: z.int(),
  /** A seal: it also replaces the rows up to here, which were deleted because of their age. */
  seals: z.literal(true).optional(),
  /** The chains of the other gateways on the same database: what is removed from them is missing here. */
  others: z.array(Binding).optional(),
  signature: z.string(),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

const LATEST_LINES = 20;

/**
 * Signed checkpoints, kept in a file outside the database.
 *
 * A chain alone does not show that its end was cut off or that all of it was
 * rewritten; an attacker would have to forge these too. With a copy of the file
 * and the public key elsewhere, even the owner of this machine cannot.
 */
export class Checkpoints {
  readonly file: string;
  readonly #key: KeyObject;
  readonly #publicKey: KeyObject;

  constructor({ file, keyFile }: { file: string; keyFile: string }) {
    this.file = file;
    this.#key = loadKey(keyFile);
    this.#publicKey = createPublicKey(this.#key);
    dropHalfLine(file);
  }

  /** In the form in which others can check this one's signatures with it. */
  get publicKey(): string {
    return this.#publicKey.export({ type: "spki", format: "pem" }).toString();
  }

  /** Durable when it returns the line; if writing fails, no partial line is left. */
  append(checkpoint: Omit<Checkpoint, "signature">): string {
    const { descriptor, line } = this.#write(checkpoint);
    try {
      fsyncSync(descriptor);
      return line;
    } finally {
      closeSync(descriptor);
    }
  }

  /** Writes the line at once, and resolves when it is durable: this thread does not wait for the disk. */
  async appendSoon(checkpoint: Omit<Checkpoint, "signature">): Promise<void> {
    const { descriptor } = this.#write(checkpoint);
    try {
      await promisify(fsync)(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  #write(checkpoint: Omit<Checkpoint, "signature">): { descriptor: number; line: string } {
    const signature = sign(null, Buffer.from(canonical(checkpoint)), this.#key).toString("base64");
    const line = JSON.stringify({ ...checkpoint, signature });
    const bytes = Buffer.from(`${line}\n`);
    const descriptor = openSync(this.file, "a", 0o600);
    const { size } = fstatSync(descriptor);
    try {
      if (writeSync(descriptor, bytes) !== bytes.length) throw new Error("The disk is full.");
      return { descriptor, line };
    } catch (error) {
      ftruncateSync(descriptor, size); // a partial line would corrupt the next one
      closeSync(descriptor);
      throw error;
    }
  }

  /** Every line of the file, as `read` sees it. */
  lines(): string[] {
    return existsSync(this.file) ? readFileSync(this.file, "utf8").split("\n").slice(0, -1) : [];
  }

  /** The valid checkpoint that covers most, without reading them all. Seals are made late, and cover less than their neighbours. */
  latest(): Checkpoint | null {
    let latest: Checkpoint | null = null;
    for (const line of this.lines().slice(-LATEST_LINES)) {
      const checkpoint = this.read(line);
      if (checkpoint && checkpoint.seq >= (latest?.seq ?? 0)) latest = checkpoint;
    }
    return latest;
  }

  /** The checkpoint on a line; null if it is not one or its signature is wrong. */
  read(line: string): Checkpoint | null {
    return readSigned(line, this.#publicKey);
  }

  /** The line of the last seal; null if nothing was removed yet. */
  lastSeal(): string | null {
    return this.lines().findLast((line) => this.#isSeal(line)) ?? null;
  }

  #isSeal(line: string): boolean {
    return line.includes('"seals":true') && this.read(line)?.seals === true;
  }
}

/** The checkpoint on a line, if it is signed with this key. */
export function readSigned(line: string, publicKey: KeyObject): Checkpoint | null {
  const parsed = Checkpoint.safeParse(parseJson(line));
  if (!parsed.success) return null;
  const { signature, ...signed } = parsed.data;
  const isGenuine = verify(null, Buffer.from(canonical(signed)), publicKey, Buffer.from(signature, "base64"));
  return isGenuine ? parsed.data : null;
}

function loadKey(file: string): KeyObject {
  const make = () => generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const text = readOrCreate(file, make);
  try {
    const key = createPrivateKey(text);
    const publicText = createPublicKey(key).export({ type: "spki", format: "pem" }).toString();
    const publicFile = `${file}.pub`;
    if (existsSync(publicFile) && readFileSync(publicFile, "utf8") !== publicText) rmSync(publicFile);
    readOrCreate(publicFile, () => publicText, 0o644);
    return key;
  } catch (error) {
    throw new GatewayError(
      "key-damaged",
      `${file}, which signs the record, is ${text === "" ? "empty" : "damaged"}. Restore it from a backup. Without one, move it and ${file}.pub away, and the checkpoints in audit-checkpoints.jsonl too, which only this key proves; then start again with a new one.`,
      { cause: error },
    );
  }
}

/** Drops everything after the last newline: a crash interrupted that write, so it never counted. */
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
    return undefined; // not a checkpoint; the caller reports it
  }
}
