import type { TextRenderer } from "../../render/text/text-renderer.ts";
import { missing } from "../format.ts";
import type { RecordingReader } from "../reader.ts";

/** Long recordings are rendered in parts of about this size, to bound memory. */
const PART_BYTES = 4 * 1_024 * 1_024;
const NEWLINE = 0x0a;

/** A recording as plain text, part by part, each with a newline at its end. */
export async function* exportText(recording: RecordingReader, renderer: TextRenderer): AsyncGenerator<string> {
  let { cols, rows } = recording.header;
  let held: Uint8Array[] = [];
  let heldBytes = 0;

  async function render(bytes: Uint8Array): Promise<string> {
    const { text, alternateScreen } = await renderer.renderText(bytes, { cols, rows });
    return `${text}\n${alternateScreen === null ? "" : `${alternateScreen}\n`}`;
  }

  for await (const event of recording.events()) {
    if (event.type === "resized") ({ cols, rows } = event);
    if (event.type !== "output" && event.type !== "gap") continue;
    const bytes = event.type === "output" ? event.bytes : Buffer.from(`\r\n… ${missing(event)} …\r\n`);
    held.push(bytes);
    heldBytes += bytes.byteLength;
    if (heldBytes < PART_BYTES) continue;

    const all = Buffer.concat(held);
    // Cut between two lines, where it does the least harm.
    const cut = all.lastIndexOf(NEWLINE) + 1 || all.byteLength;
    yield await render(all.subarray(0, cut));
    held = [all.subarray(cut)];
    heldBytes = all.byteLength - cut;
  }
  if (heldBytes > 0) yield await render(Buffer.concat(held));
}
