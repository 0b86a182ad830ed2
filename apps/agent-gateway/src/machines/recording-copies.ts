import { appendFile, mkdir, stat } from "node:fs/promises";
import { recordingPaths, type TerminalHost } from "@belay/core";
import type { TerminalId } from "@belay/protocol";
import type { Logger } from "pino";
import type { Db } from "../store/database.ts";
import { listUncopiedRecordings, markRecordingCopied } from "../store/tables/machines/machine-terminals.ts";
import type { Fleet } from "./fleet.ts";

const PART_BYTES = 1024 * 1024;

interface Deps {
  fleet: Fleet;
  recordingsDir: string;
  db: Db;
  now: () => number;
  log: Logger;
}

/**
 * Copies the recordings of other machines to this one, where they are searched, replayed, exported and deleted like
 * all others. The files only grow, so a copy continues where it ended. A machine drops its own once it was copied whole.
 */
export class RecordingCopies {
  readonly #deps: Deps;
  readonly #underWay = new Map<TerminalId, Promise<void>>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Brings the copy up to date as far as its machine can be reached. Does nothing for terminals of this machine. */
  async bring(id: TerminalId): Promise<void> {
    const { fleet, log } = this.#deps;
    const machine = fleet.machineOf(id);
    if (machine === null || fleet.isAway(id)) return;
    const before = this.#underWay.get(id) ?? Promise.resolve();
    const mine = before
      .then(() => this.#copy(id, fleet.hostOf({ machine })))
      .catch((error: unknown) => log.warn({ err: error, terminalId: id }, "a recording could not be copied yet"))
      .finally(() => {
        if (this.#underWay.get(id) === mine) this.#underWay.delete(id);
      });
    this.#underWay.set(id, mine);
    await mine;
  }

  /** What a machine recorded of terminals that have closed, and this gateway has not copied yet. */
  async bringClosed(machine: string): Promise<void> {
    for (const id of await listUncopiedRecordings(this.#deps.db, machine)) await this.#bringWhole(id);
  }

  closed(id: TerminalId): void {
    if (this.#deps.fleet.machineOf(id) === null) return;
    this.#bringWhole(id).catch((error: unknown) =>
      this.#deps.log.warn({ err: error, terminalId: id }, "a recording could not be copied yet"),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#underWay.values());
  }

  async #bringWhole(id: TerminalId): Promise<void> {
    const { fleet, db, now } = this.#deps;
    const machine = fleet.machineOf(id);
    if (machine === null || fleet.isAway(id)) return; // it is brought once its machine is back
    await this.bring(id);
    const host = fleet.hostOf({ machine });
    // Dropped there only if nothing of it is missing here.
    const dropped = await host.dropRecording(id, await this.#sizesOf(id)).catch(() => false);
    if (!dropped) return;
    await markRecordingCopied(db, id, now());
    fleet.settled(id);
  }

  async #copy(id: TerminalId, host: TerminalHost): Promise<void> {
    const paths = recordingPaths(this.#deps.recordingsDir, id);
    const held = await this.#sizesOf(id);
    // The index is read before the bytes that it is about, and written after them.
    const index = await collect(host, id, "index", held.index);
    if (index === null) return;
    await mkdir(this.#deps.recordingsDir, { recursive: true, mode: 0o700 });
    for await (const bytes of parts(host, id, "raw", held.raw)) await appendFile(paths.raw, bytes, { mode: 0o600 });
    for await (const bytes of parts(host, id, "gaps", held.gaps)) await appendFile(paths.gaps, bytes, { mode: 0o600 });
    await appendFile(paths.index, index, { mode: 0o600 });
  }

  async #sizesOf(id: TerminalId): Promise<{ raw: number; index: number; gaps: number }> {
    const paths = recordingPaths(this.#deps.recordingsDir, id);
    const sizeOf = async (path: string) => (await stat(path).catch(() => null))?.size ?? 0;
    return { raw: await sizeOf(paths.raw), index: await sizeOf(paths.index), gaps: await sizeOf(paths.gaps) };
  }
}

type File = "raw" | "index" | "gaps";

async function* parts(host: TerminalHost, id: TerminalId, file: File, from: number): AsyncGenerator<Uint8Array> {
  for (let fromByte = from; ; ) {
    const part = await host.recordingPart(id, { file, fromByte, maxBytes: PART_BYTES });
    if (!part || part.bytes.byteLength === 0) return;
    yield part.bytes;
    fromByte += part.bytes.byteLength;
  }
}

/** Null if there is no such file. */
async function collect(host: TerminalHost, id: TerminalId, file: File, from: number): Promise<Buffer | null> {
  if ((await host.recordingPart(id, { file, fromByte: 0, maxBytes: 1 })) === null) return null;
  const all: Uint8Array[] = [];
  for await (const bytes of parts(host, id, file, from)) all.push(bytes);
  return Buffer.concat(all);
}
