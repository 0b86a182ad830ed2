import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CoreError,
  DEFAULT_SUMMARY_LIMITS,
  OverflowFiles,
  openRecording,
  readRecorded,
  summariseToFile,
  type TerminalPool,
  TextRenderer,
} from "@belay/core";
import type { CommandReport } from "@belay/protocol";

/** The most that is rendered of one command. */
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;

export interface OutputText {
  text: string;
  isTruncated: boolean;
  /** A file with all of it, where the reply has only head and tail. */
  fullTextPath: string | null;
}

/** What commands printed, as a person would have seen it, cut to what a model can use. */
export class OutputTexts {
  readonly #terminals: TerminalPool;
  readonly #recordingsDir: string;
  readonly #renderer = new TextRenderer();
  readonly #files: OverflowFiles;

  constructor(deps: { terminals: TerminalPool; dataDir: string; recordingsDir: string; now: () => number }) {
    this.#terminals = deps.terminals;
    this.#recordingsDir = deps.recordingsDir;
    // Not in the data dir, which agents may not read.
    const name = `belay-output-${createHash("sha256").update(deps.dataDir).digest("hex").slice(0, 12)}`;
    this.#files = new OverflowFiles({ dir: join(tmpdir(), name), now: deps.now });
  }

  async of(report: CommandReport): Promise<OutputText> {
    const { bytes, cols, rows } = await this.#find(report);
    const { text } = await this.#renderer.renderText(bytes, { cols, rows });
    const summary = await summariseToFile(text, DEFAULT_SUMMARY_LIMITS, this.#files);
    return { text: summary.text, isTruncated: !summary.isWhole, fullTextPath: summary.fullTextPath };
  }

  close(): Promise<void> {
    return this.#renderer.close();
  }

  async #find(report: CommandReport): Promise<{ bytes: Uint8Array; cols: number; rows: number }> {
    try {
      const [bytes, { cols, rows }] = await Promise.all([this.#read(report), this.#terminals.get(report.terminalId)]);
      return { bytes, cols, rows };
    } catch (error) {
      if (!(error instanceof CoreError) || error.code !== "terminal-not-found") throw error;
      // Closed long ago, or lost with its host: the recording has it still.
      return this.#readRecording(report, error);
    }
  }

  async #readRecording({ terminalId, startPosition, endPosition }: CommandReport, error: CoreError) {
    const recording = await openRecording(this.#recordingsDir, terminalId);
    if (!recording) throw error;
    try {
      const { bytes } = await recording.read(startPosition, Math.min(endPosition - startPosition, MAX_OUTPUT_BYTES));
      return { bytes, ...(await recording.readSize({ position: startPosition })) };
    } finally {
      await recording.close();
    }
  }

  /** From the ring, and what has left it from the recording, which may be a little behind. */
  async #read({ terminalId, startPosition, endPosition }: CommandReport): Promise<Uint8Array> {
    const end = startPosition + Math.min(endPosition - startPosition, MAX_OUTPUT_BYTES);
    const kept = await this.#terminals.read(terminalId, { fromPosition: startPosition, maxBytes: end - startPosition });
    if (kept.missedBytes === 0) return kept.bytes;
    const request = { fromPosition: startPosition, maxBytes: end - startPosition };
    const recorded = await readRecorded(this.#recordingsDir, terminalId, request);
    if (!recorded) return kept.bytes;
    const rest = { fromPosition: recorded.toPosition, maxBytes: end - recorded.toPosition };
    const { bytes } = await this.#terminals.read(terminalId, rest);
    return Buffer.concat([recorded.bytes, bytes]);
  }
}
