import { existsSync } from "node:fs";
import { mkdtemp, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { GatewayError } from "../errors.ts";
import { copyDatabase } from "../store/sqlite/copy-database.ts";
import { ArchiveWriter } from "./archive.ts";
import { type BackupChoice, listContents } from "./contents.ts";
import { encryptBackup } from "./encryption.ts";

export interface BackupReport {
  file: string;
  /** The size of the compressed archive. */
  bytes: number;
  files: number;
  lastRow: number;
  isEncrypted: boolean;
}

interface BackupOptions extends BackupChoice {
  dataDir: string;
  securityFile: string;
  /** The target file, which must not exist yet. */
  target: string;
  passphrase: string | null;
  version: string;
  now: number;
}

/**
 * Copies a data folder that may be in use into one file.
 *
 * 1. The database first, as it was at one moment; the copy stays inside the data folder until it is packed.
 * 2. The checkpoints about rows in that copy. Read later, so that they also cover its last rows.
 * 3. Everything else. Recordings are append-only, so each is complete up to some byte.
 * 4. The manifest, without which a restore treats the file as incomplete. Only then does the file get its final name.
 */
export async function backUp(options: BackupOptions): Promise<BackupReport> {
  const { dataDir, target, passphrase } = options;
  const database = join(dataDir, "belay.db");
  if (!existsSync(database)) {
    throw new GatewayError(
      "bad-request",
      `${dataDir} is not a data folder of Belay. Set BELAY_DATA_DIR to its data folder.`,
    );
  }
  if (existsSync(target)) throw new GatewayError("not-empty", `${target} is there already. Choose another name.`);
  const work = await mkdtemp(join(dataDir, ".backup-"));
  const part = `${target}.part`;
  try {
    const copy = join(work, "belay.db");
    const { lastRow } = await copyDatabase(database, copy);
    const archive = new ArchiveWriter();
    const file = await openPart(part);
    const through: Transform[] = [createGzip(), ...(passphrase === null ? [] : [encryptBackup(passphrase)])];
    const written = pipeline([
      archive.stream as unknown as NodeJS.ReadableStream,
      ...through,
      file.createWriteStream(),
    ]);
    written.catch(() => {}); // reported below, where it is awaited
    const filled = fill(archive, { ...options, copy, lastRow });
    await Promise.all([filled, written]);
    await syncFile(part);
    await rename(part, target);
    const { size } = await stat(target);
    const files = Object.keys(archive.files).length;
    return { file: target, bytes: size, files, lastRow, isEncrypted: passphrase !== null };
  } finally {
    await Promise.all([rm(work, { recursive: true, force: true }), rm(part, { force: true })]);
  }
}

async function fill(archive: ArchiveWriter, options: BackupOptions & { copy: string; lastRow: number }): Promise<void> {
  const { dataDir, securityFile, copy, lastRow, version, now } = options;
  try {
    await archive.addFile("belay.db", copy);
    await archive.addText("audit-checkpoints.jsonl", await checkpointsUpTo(dataDir, lastRow));
    for await (const entry of listContents(dataDir, options)) await archive.add(entry);
    // The settings keep it elsewhere; it is restored into the data folder.
    const isOutside = relative(dataDir, securityFile).startsWith("..");
    if (isOutside && existsSync(securityFile) && !existsSync(join(dataDir, "security.json"))) {
      await archive.addFile("security.json", securityFile);
    }
    await archive.finish({ format: 1, belay: version, createdAt: now, lastRow });
  } catch (error) {
    archive.stream.destroy(error as Error);
    throw error;
  }
}

async function checkpointsUpTo(dataDir: string, lastRow: number): Promise<string> {
  const file = join(dataDir, "audit-checkpoints.jsonl");
  if (!existsSync(file)) return "";
  const lines = (await readFile(file, "utf8")).split("\n").slice(0, -1);
  return lines
    .filter((line) => seqOf(line) <= lastRow)
    .map((line) => `${line}\n`)
    .join("");
}

/** Lines that are not valid checkpoints are kept, so that verifying reports them. */
function seqOf(line: string): number {
  try {
    return Number((JSON.parse(line) as { seq?: unknown }).seq ?? 0);
  } catch {
    return 0;
  }
}

async function openPart(part: string) {
  try {
    return await open(part, "wx", 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST")
      throw new GatewayError("not-empty", `${part} is left over from an earlier attempt. Remove it first.`);
    throw new GatewayError("bad-request", `${dirname(part)} cannot be written to. Choose another folder.`, {
      cause: error,
    });
  }
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, "r");
  await handle.sync().finally(() => handle.close());
}
