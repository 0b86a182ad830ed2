import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rm, rmdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PassThrough, type Readable, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { type Entry, extract } from "tar-stream";
import { openRecord } from "../audit/open.ts";
import { GatewayError } from "../errors.ts";
import { MIGRATIONS_DIR } from "../paths.ts";
import { openDatabase } from "../store/sqlite/open-database.ts";
import { hashing } from "./archive.ts";
import { decryptBackup, looksEncrypted } from "./encryption.ts";
import { MANIFEST_NAME, Manifest } from "./manifest.ts";

export interface RestoreReport {
  dataDir: string;
  files: number;
  rows: number;
  /** When and with which version the backup was made. */
  createdAt: number;
  madeBy: string;
}

interface RestoreOptions {
  file: string;
  dataDir: string;
  /** Called only if the backup is encrypted. */
  askPassphrase: () => Promise<string>;
  now: () => number;
}

/**
 * Unpacks a backup into a data folder that is empty or does not exist.
 *
 * 1. Unpack beside the target, so that a failed restore leaves nothing.
 * 2. Every file must match its checksum in the manifest, with none missing and none extra.
 * 3. The record is verified from its first row to its last.
 * 4. Only then is the folder renamed to its place.
 */
export async function restore({ file, dataDir, askPassphrase, now }: RestoreOptions): Promise<RestoreReport> {
  await requireEmpty(dataDir);
  const decrypt = (await isEncrypted(file)) ? decryptBackup(await askPassphrase()) : new PassThrough();
  const work = `${dataDir}.restoring-${process.pid}`;
  await mkdir(dirname(work), { recursive: true, mode: 0o700 });
  await mkdir(work, { mode: 0o700 });
  try {
    const found = await unpack(file, decrypt, work);
    const manifest = checkManifest(found);
    const rows = await verifyRestored(work, now);
    if (existsSync(dataDir)) await rmdir(dataDir);
    await rename(work, dataDir);
    const { createdAt, belay } = manifest;
    return { dataDir, files: found.files.size, rows, createdAt, madeBy: belay };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function requireEmpty(dataDir: string): Promise<void> {
  const names = existsSync(dataDir) ? await readdir(dataDir) : [];
  if (names.length === 0) return;
  throw new GatewayError(
    "not-empty",
    `${dataDir} is not empty, and a restore overwrites nothing. Stop Belay and move that folder away, or set BELAY_DATA_DIR to a new one.`,
  );
}

async function isEncrypted(file: string): Promise<boolean> {
  const handle = await open(file, "r").catch((error) => {
    throw new GatewayError("bad-request", `${file} cannot be read (${error.code}).`, { cause: error });
  });
  try {
    const { buffer } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    return looksEncrypted(buffer);
  } finally {
    await handle.close();
  }
}

interface Unpacked {
  files: Map<string, string>;
  manifest: string | null;
}

async function unpack(file: string, decrypt: Transform, work: string): Promise<Unpacked> {
  const archive = extract();
  const flow = pipeline(createReadStream(file), decrypt, createGunzip(), archive as unknown as NodeJS.WritableStream);
  const found: Unpacked = { files: new Map(), manifest: null };
  try {
    await Promise.all([flow, unpackEntries(archive, work, found)]);
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw new GatewayError(
      "backup-unreadable",
      `${file} is not a backup of Belay, or it is damaged or incomplete (${(error as Error).message}).`,
      { cause: error },
    );
  }
  return found;
}

async function unpackEntries(archive: AsyncIterable<Entry>, work: string, found: Unpacked): Promise<void> {
  for await (const entry of archive) {
    const { name, type, mode = 0o600, linkname } = entry.header;
    const content = entry as unknown as Readable;
    if (name === MANIFEST_NAME) {
      found.manifest = await readText(content);
      continue;
    }
    const target = await safePlace(work, name);
    if (type === "directory") await mkdir(target, { mode: mode | 0o700 });
    else if (type === "symlink") await symlink(linkname ?? "", target);
    else if (type === "file") found.files.set(name.replace(/\/$/, ""), await writeEntry(content, target, mode));
    else throw unexpected(name);
    content.resume();
  }
}

/** Keeps every entry inside the folder: no escape by its name or through a link from the archive. */
async function safePlace(work: string, name: string): Promise<string> {
  const parts = name.replace(/\/$/, "").split("/");
  if (parts.some((part) => part === "" || part === "." || part === ".." || part.includes("\0"))) throw unexpected(name);
  let folder = work;
  for (const part of parts.slice(0, -1)) {
    folder = join(folder, part);
    const stats = await lstat(folder).catch(() => null);
    if (!stats?.isDirectory()) throw unexpected(name);
  }
  return join(work, ...parts);
}

async function writeEntry(content: Readable, target: string, mode: number): Promise<string> {
  const hash = createHash("sha256");
  const file = createWriteStream(target, { mode: mode & 0o700, flags: "wx" });
  await pipeline(content, hashing(hash), file);
  return hash.digest("hex");
}

async function readText(content: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function checkManifest({ files, manifest }: Unpacked): Manifest {
  const parsed = manifest === null ? null : Manifest.safeParse(JSON.parse(manifest));
  if (!parsed?.success) throw new GatewayError("backup-unreadable", "The backup is incomplete: it has no manifest.");
  const names = new Set([...files.keys(), ...Object.keys(parsed.data.files)]);
  const wrong = [...names].find((name) => files.get(name) !== parsed.data.files[name]);
  if (wrong === undefined) return parsed.data;
  throw new GatewayError("backup-unreadable", `The backup is damaged: ${wrong} does not match its checksum.`);
}

/** Migrates the database to this version, which refuses a newer one, and verifies the whole record. */
async function verifyRestored(work: string, now: () => number): Promise<number> {
  const db = openDatabase(join(work, "belay.db"), MIGRATIONS_DIR);
  try {
    const watch = { rowWritten: () => {}, rowRefused: () => {} };
    const { audit } = await openRecord({ db, dataDir: work, now, watch });
    const result = await audit.verify();
    await audit.close();
    if (result.ok) return result.rows;
    throw new GatewayError(
      "record-not-whole",
      `The record in this backup was altered, so nothing was restored. ${result.problem}`,
    );
  } finally {
    db.$client.close();
  }
}

function unexpected(name: string): GatewayError {
  return new GatewayError(
    "backup-unreadable",
    `The backup has an entry that Belay never packs: ${JSON.stringify(name)}.`,
  );
}
