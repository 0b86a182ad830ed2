import {
  CoreError,
  DEFAULT_SUMMARY_LIMITS,
  openRecording,
  readLineRange,
  readRecorded,
  type Summary,
  type SummaryLimits,
  searchLines,
  summarise,
  summariseToFile,
  type TerminalPool,
  type TextRenderer,
} from "@belay/core";
import type { AgentId, TerminalId } from "@belay/protocol";
import { type OutputPiece, readPieces, summarisePieces } from "./long-output.ts";
import { OverflowFolders } from "./overflow-folders.ts";
import { readLinesOfPieces, searchPieces } from "./read-pieces.ts";

/** The most that is rendered of one command; of a longer output, its beginning and its end. */
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;
const DAY_MS = 24 * 3_600_000;
/** The size assumed for a closed terminal without a recording. */
const UNKNOWN_SIZE = { cols: 120, rows: 40 };

/** A stretch of a terminal's output, between two absolute byte positions. */
export interface OutputRange {
  terminalId: TerminalId;
  startPosition: number;
  endPosition: number;
}

export interface OutputText {
  text: string;
  isTruncated: boolean;
  /** The number of lines left out in the middle; null if none are. */
  omitted: Summary["omitted"];
  totalLines: number;
  /** A file with the whole output, if the reply has only head and tail. */
  fullTextPath: string | null;
  /** Bytes that are lost. */
  lostBytes: number;
}

export interface WholeText {
  text: string;
  lostBytes: number;
}

/** The output of commands as a person would see it, cut to what a model can use. */
export class OutputTexts {
  readonly #terminals: TerminalPool;
  readonly #recordingsDir: string;
  readonly #bringRecording: (id: TerminalId) => Promise<void>;
  readonly #renderer: TextRenderer;
  readonly #overflow: OverflowFolders;

  constructor(deps: {
    terminals: TerminalPool;
    dataDir: string;
    recordingsDir: string;
    /** Copies what another machine has recorded. */
    bringRecording: (id: TerminalId) => Promise<void>;
    /** How long files with whole outputs are kept, read each time. */
    overflowDays: () => number;
    /** How much room those of one agent take; null: as much as there is. */
    overflowBytes: () => number | null;
    /** The group of the user that terminals run as, which may read them; null: Belay's own user. */
    overflowGroupId: () => number | null;
    renderer: TextRenderer;
    now: () => number;
  }) {
    this.#terminals = deps.terminals;
    this.#recordingsDir = deps.recordingsDir;
    this.#bringRecording = deps.bringRecording;
    this.#renderer = deps.renderer;
    const maxAgeMs = () => deps.overflowDays() * DAY_MS;
    this.#overflow = new OverflowFolders({
      dataDir: deps.dataDir,
      now: deps.now,
      maxAgeMs,
      maxBytes: deps.overflowBytes,
      groupId: deps.overflowGroupId,
    });
  }

  /** Head and tail, and where to find the rest. */
  async of(range: OutputRange, limits: SummaryLimits = DEFAULT_SUMMARY_LIMITS): Promise<OutputText> {
    if (isLong(range)) {
      const lost = { bytes: 0 };
      const summary = await summarisePieces(this.#pieces(range, lost), limits);
      return { ...summary, lostBytes: lost.bytes };
    }
    const { text, lostBytes } = await this.whole(range);
    // Only output that does not fit goes into a file in the agent's folder.
    const terminal = fits(text, limits) ? null : await this.#terminals.get(range.terminalId).catch(nullIfForgotten);
    if (terminal?.machine !== undefined) return { ...summariseWithoutFile(text, limits), lostBytes };
    return { ...(await this.#summarise(text, terminal?.agentId ?? null, { limits, lostBytes })), lostBytes };
  }

  /** Output that a program wrote into pipes, by the same rules. */
  async ofPiped(output: string, agentId: AgentId, limits: SummaryLimits): Promise<OutputText> {
    const { text } = await this.#renderer.renderText(Buffer.from(output), { isFromPipe: true });
    return { ...(await this.#summarise(text, agentId, { limits, lostBytes: 0 })), lostBytes: 0 };
  }

  /** Deletes expired files; writing one occasionally does so too. */
  async prune(): Promise<void> {
    await this.#overflow.prune();
  }

  /** The folders with other agents' outputs, which this agent may not read. */
  foldersOfOthers(agentId: AgentId): string[] {
    return this.#overflow.foldersOfOthers(agentId);
  }

  async #summarise(
    text: string,
    agentId: AgentId | null,
    { limits, lostBytes }: { limits: SummaryLimits; lostBytes: number },
  ): Promise<Omit<OutputText, "lostBytes">> {
    const {
      text: shown,
      isWhole,
      omitted,
      totalLines,
      fullTextPath,
    } = await summariseToFile(text, limits, { files: this.#overflow.of(agentId), lostBytes });
    return { text: shown, isTruncated: !isWhole, omitted, totalLines, fullTextPath };
  }

  /** Some lines of an output of any length. */
  async lines(range: OutputRange, wanted: { fromLine: number; toLine: number; maxChars: number }) {
    if (!isLong(range)) {
      const { text, lostBytes } = await this.whole(range);
      return { ...readLineRange(text, wanted), lostBytes };
    }
    const lost = { bytes: 0 };
    return { ...(await readLinesOfPieces(this.#pieces(range, lost), wanted)), lostBytes: lost.bytes };
  }

  /** The lines that contain a text, in an output of any length. */
  async search(range: OutputRange, wanted: { query: string; maxMatches: number; maxLineChars: number }) {
    if (!isLong(range)) {
      const { text, lostBytes } = await this.whole(range);
      return { ...searchLines(text, wanted), lostBytes };
    }
    const lost = { bytes: 0 };
    return { ...(await searchPieces(this.#pieces(range, lost), wanted)), lostBytes: lost.bytes };
  }

  #pieces(range: OutputRange, lost: { bytes: number }): AsyncGenerator<OutputPiece> {
    return readPieces(
      range,
      async (fromPosition, maxBytes) => {
        const { bytes, lostBytes } = await this.#readPart(range.terminalId, fromPosition, maxBytes);
        lost.bytes += lostBytes;
        return bytes;
      },
      async (bytes) => (await this.#renderer.renderText(bytes, await this.#sizeAt(range))).text,
    );
  }

  /** All of it as text; of a very long one, the emulator's own beginning and end. */
  async whole(range: OutputRange): Promise<WholeText> {
    const { terminalId, startPosition, endPosition } = range;
    const length = Math.max(0, endPosition - startPosition);
    if (length === 0) return { text: "", lostBytes: 0 };
    const [{ bytes, lostBytes }, size] = await Promise.all([
      this.#readPart(terminalId, startPosition, length),
      this.#sizeAt(range),
    ]);
    const rendered = await this.#renderer.renderText(bytes, size);
    // A full-screen program has drawn over its output, so show its screen instead.
    const text = [rendered.text, rendered.alternateScreen].filter((part) => part !== null && part !== "").join("\n");
    return { text, lostBytes };
  }

  /**
   * From the terminal's memory, and older bytes from the recording, which may lag a little. For bytes that neither
   * has, for example because the disk was full, a notice says how many are missing.
   */
  async #readPart(terminalId: TerminalId, fromPosition: number, maxBytes: number) {
    const toPosition = fromPosition + maxBytes;
    const parts: Uint8Array[] = [];
    let lostBytes = 0;
    let position = fromPosition;
    const take = (slice: { fromPosition: number; toPosition: number; bytes: Uint8Array }) => {
      const missedBytes = Math.min(slice.fromPosition, toPosition) - position;
      if (missedBytes > 0) parts.push(missingNotice(missedBytes));
      lostBytes += missedBytes;
      parts.push(slice.bytes);
      position = slice.toPosition;
    };
    while (position < toPosition) {
      const before = position;
      const kept = await this.#readKept(terminalId, position, toPosition - position);
      if (kept?.missedBytes === 0) take(kept);
      else {
        const request = { fromPosition: position, maxBytes: toPosition - position };
        await this.#bringRecording(terminalId);
        const recorded = await readRecorded(this.#recordingsDir, terminalId, request);
        if (recorded && recorded.toPosition > position) take(recorded);
        else if (kept && kept.fromPosition < toPosition) take(kept);
      }
      if (position === before) break;
    }
    lostBytes += Math.max(0, toPosition - position);
    return { bytes: Buffer.concat(parts), lostBytes };
  }

  /** Null if the pool does not know the terminal: it may be from an earlier gateway. */
  async #readKept(terminalId: TerminalId, fromPosition: number, maxBytes: number) {
    return this.#terminals.read(terminalId, { fromPosition, maxBytes }).catch(nullIfForgotten);
  }

  async #sizeAt({ terminalId, endPosition }: OutputRange): Promise<{ cols: number; rows: number }> {
    const terminal = await this.#terminals.get(terminalId).catch(nullIfForgotten);
    if (terminal) return { cols: terminal.cols, rows: terminal.rows };
    const recording = await openRecording(this.#recordingsDir, terminalId);
    if (!recording) return UNKNOWN_SIZE;
    try {
      return await recording.readSize({ position: endPosition });
    } finally {
      await recording.close();
    }
  }
}

/** A program on another machine could not read a file on this one; the rest is read by line or position. */
function summariseWithoutFile(text: string, limits: SummaryLimits): Omit<OutputText, "lostBytes"> {
  const { text: shown, isWhole, omitted, totalLines } = summarise(text, limits);
  return { text: shown, isTruncated: !isWhole, omitted, totalLines, fullTextPath: null };
}

/** Certainly displayed unchanged. */
function fits(text: string, { maxChars, maxLineChars }: SummaryLimits): boolean {
  return text.length <= Math.min(maxChars, maxLineChars);
}

function isLong({ startPosition, endPosition }: OutputRange): boolean {
  return endPosition - startPosition > MAX_OUTPUT_BYTES;
}

function nullIfForgotten(error: unknown): null {
  if (error instanceof CoreError && error.code === "terminal-not-found") return null;
  throw error;
}

function missingNotice(bytes: number): Buffer {
  return Buffer.from(`\r\n… ${bytes.toLocaleString("en-US")} bytes are missing here …\r\n`);
}
