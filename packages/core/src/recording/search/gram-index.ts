import { readFile, rename, rm, writeFile } from "node:fs/promises";
import type { TerminalId } from "@belay/protocol";
import { z } from "zod";
import { stripControls } from "../../render/text/plain-text.ts";
import { freshPath } from "../derived-files.ts";
import { recordingPaths } from "../format.ts";
import type { RecordingReader } from "../reader.ts";
import { GramFilter } from "./gram-filter.ts";
import { readTextBlocks } from "./text-blocks.ts";

const NEWLINE = 0x0a;

/** The first line of the file; the filters follow, one after the other. */
const Header = z.object({
  version: z.literal(1),
  /** The checksum of the recording that it was made from; redacting the recording changes it. */
  rawSha256: z.string(),
  /** The start and end of each block, and the number of words in its filter. */
  blocks: z.array(z.tuple([z.int(), z.int(), z.int()])),
});
type Header = z.infer<typeof Header>;

/** Says which blocks of a finished recording may contain a text. Stored beside the recording and deleted with it. */
export class GramIndex {
  readonly #header: Header;
  readonly #filters: Uint32Array;

  constructor(header: Header, filters: Uint32Array) {
    this.#header = header;
    this.#filters = filters;
  }

  *candidates(text: string): Generator<{ position: number; toPosition: number }> {
    let at = 0;
    for (const [position, toPosition, words] of this.#header.blocks) {
      const filter = new GramFilter(this.#filters.subarray(at, at + words));
      at += words;
      if (filter.mayContain(text)) yield { position, toPosition };
    }
  }
}

/** Null if there is none that matches the recording's current content. */
export async function loadGramIndex(dir: string, terminalId: TerminalId, rawSha256: string): Promise<GramIndex | null> {
  const bytes = await readFile(recordingPaths(dir, terminalId).grams).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  const headerEnd = bytes?.indexOf(NEWLINE) ?? -1;
  if (!bytes || headerEnd < 0) return null;
  const header = Header.safeParse(parseJson(bytes.toString("utf8", 0, headerEnd))).data;
  const words = header?.blocks.reduce((sum, [, , count]) => sum + count, 0) ?? 0;
  if (header?.rawSha256 !== rawSha256 || bytes.byteLength !== headerEnd + 1 + words * 4) return null;
  // Copied, because a Uint32Array needs aligned memory.
  return new GramIndex(header, new Uint32Array(new Uint8Array(bytes.subarray(headerEnd + 1)).buffer));
}

/** Reads all of a finished recording once. `onBlock` is awaited between two blocks. */
export async function buildGramIndex(
  dir: string,
  recording: RecordingReader,
  onBlock: () => Promise<void>,
): Promise<void> {
  const { grams } = recordingPaths(dir, recording.header.terminalId);
  const before = await recording.readEnd();
  if (!before) return;
  const blocks: Header["blocks"] = [];
  const filters: Uint8Array[] = [];
  for await (const { position, toPosition, pieces } of readTextBlocks(recording)) {
    const text = stripControls(Buffer.concat(pieces.map(({ bytes }) => bytes)));
    const { words } = GramFilter.of(text);
    blocks.push([position, toPosition, words.length]);
    filters.push(new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
    await onBlock();
  }
  const header: Header = { version: 1, rawSha256: before.rawSha256, blocks };
  const fresh = freshPath(grams);
  await writeFile(fresh, Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...filters]), { mode: 0o600 });
  // Not if it was redacted meanwhile: the index describes the old content.
  if ((await recording.readEnd())?.rawSha256 === before.rawSha256) await rename(fresh, grams);
  else await rm(fresh, { force: true });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A truncated index is rebuilt.
    return null;
  }
}
