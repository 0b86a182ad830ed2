import { stat } from "node:fs/promises";
import {
  listRecordings,
  openRecording,
  type RecordingReader,
  type RecordingSearch,
  type RecordingSegment,
  readSegment,
  recordingFiles,
  Screens,
  type SeekTo,
  type TerminalPool,
} from "@belay/core";
import type { Actor, TerminalId } from "@belay/protocol";
import type { AuditLog } from "../audit/audit-log.ts";
import { GatewayError } from "../errors.ts";
import type { Db } from "../store/database.ts";
import { findAgentOfTerminal } from "../store/tables/commands.ts";
import { type ReplayMarks, readMarks } from "./marks.ts";
import type { RecordingPreparer } from "./preparer.ts";

/** Views of the same recording within this time are recorded as one. */
const ONE_LOOK_MS = 3_600_000;

export interface RecordingSummary {
  id: TerminalId;
  title: string;
  startedAt: number;
  durationMs: number;
  /** Its size on disk. */
  bytes: number;
  /** Whether its terminal is still open. */
  isLive: boolean;
  agentId: string | null;
}

export interface RecordingAbout extends RecordingSummary, ReplayMarks {
  cols: number;
  rows: number;
}

interface Deps {
  db: Db;
  audit: AuditLog;
  terminals: TerminalPool;
  recordingsDir: string;
  /** Copies what another machine has recorded. */
  bringRecording: (id: TerminalId) => Promise<void>;
  preparer: RecordingPreparer;
  now: () => number;
}

/** Replays of terminals. Every view is recorded. */
export class Replays {
  readonly #deps: Deps;
  /** Started on the first replay. */
  #screens: Screens | null = null;
  readonly #looks = new Map<string, number>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Newest first, and the total number. */
  async list({ offset, limit }: { offset: number; limit: number }): Promise<{
    recordings: RecordingSummary[];
    total: number;
    bytes: number;
  }> {
    const { recordingsDir } = this.#deps;
    const files = await Promise.all(
      (await listRecordings(recordingsDir)).map(async (id) => ({ id, ...(await sizeOf(recordingsDir, id)) })),
    );
    files.sort((a, b) => b.changedAt - a.changedAt);
    const live = await this.#liveIds();
    const recordings: RecordingSummary[] = [];
    for (const { id } of files.slice(offset, offset + limit)) {
      const recording = await openRecording(recordingsDir, id);
      if (!recording) continue;
      try {
        recordings.push(await this.#summarise(id, recording, live));
      } finally {
        await recording.close();
      }
    }
    return { recordings, total: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  /** Everything about a recording except its output: size, times, and marks. */
  async about(id: TerminalId, by: Actor): Promise<RecordingAbout> {
    await this.#noteLook(id, by);
    return this.#use(id, async (recording) => ({
      ...(await this.#summarise(id, recording, await this.#liveIds())),
      cols: recording.header.cols,
      rows: recording.header.rows,
      ...(await readMarks(this.#deps.db, recording)),
    }));
  }

  /** A segment that a player can show on its own. */
  async segment(id: TerminalId, at: SeekTo, by: Actor): Promise<RecordingSegment> {
    await this.#noteLook(id, by);
    this.#screens ??= new Screens();
    const screens = this.#screens;
    return this.#use(id, (recording) => readSegment(recording, at, screens));
  }

  /** Searches all recordings, newest first, for at most a few seconds; `cursor` continues a search. */
  async search(search: RecordingSearch, by: Actor) {
    const { audit, db, preparer } = this.#deps;
    if (search.cursor === 0) {
      const detail = { form: "search", text: search.text };
      await audit.append({ type: "recording.opened", actor: by, detail });
    }
    const { found, ...progress } = await preparer.search(search);
    const withAgents = found.map(async (one) => ({ ...one, agentId: await findAgentOfTerminal(db, one.id) }));
    return { ...progress, found: await Promise.all(withAgents) };
  }

  async close(): Promise<void> {
    await this.#screens?.close();
  }

  async #use<Value>(id: TerminalId, use: (recording: RecordingReader) => Promise<Value>): Promise<Value> {
    await this.#deps.bringRecording(id);
    const recording = await openRecording(this.#deps.recordingsDir, id);
    if (!recording)
      throw new GatewayError("recording-not-found", `There is no recording of "${id}", or it has been deleted.`);
    try {
      return await use(recording);
    } finally {
      await recording.close();
    }
  }

  async #summarise(id: TerminalId, recording: RecordingReader, live: Set<TerminalId>): Promise<RecordingSummary> {
    const { title, startedAt } = recording.header;
    const { bytes } = await sizeOf(this.#deps.recordingsDir, id);
    const agentId = await findAgentOfTerminal(this.#deps.db, id);
    return { id, title, startedAt, durationMs: await recording.readDurationMs(), bytes, isLive: live.has(id), agentId };
  }

  async #liveIds(): Promise<Set<TerminalId>> {
    const open = (await this.#deps.terminals.list()).filter(({ state }) => state.status !== "closed");
    return new Set(open.map(({ id }) => id));
  }

  /** Recorded once per person and recording during a visit; before its first byte is sent. */
  async #noteLook(id: TerminalId, by: Actor): Promise<void> {
    const { audit, now } = this.#deps;
    const key = `${JSON.stringify(by)} ${id}`;
    const last = this.#looks.get(key);
    if (last !== undefined && now() - last < ONE_LOOK_MS) return;
    await audit.append({ type: "recording.opened", actor: by, terminalId: id, detail: { form: "replay" } });
    for (const [old, at] of this.#looks) if (now() - at >= ONE_LOOK_MS) this.#looks.delete(old);
    this.#looks.set(key, now());
  }
}

async function sizeOf(dir: string, id: TerminalId): Promise<{ bytes: number; changedAt: number }> {
  const files = await Promise.all(
    recordingFiles(dir, id).map((path) => stat(path).catch((error: NodeJS.ErrnoException) => ifMissing(error))),
  );
  return {
    bytes: files.reduce((sum, file) => sum + (file?.size ?? 0), 0),
    changedAt: Math.max(0, ...files.map((file) => file?.mtimeMs ?? 0)),
  };
}

/** It may be removed while the list is made, and most have no gaps. */
function ifMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
