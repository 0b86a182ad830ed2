import { isHarmlessDevice, isTemporary } from "../../dangers/paths/danger-paths.ts";
import type { Shell } from "../grammar/shell.ts";
import { resolvePath } from "../words/paths.ts";
import { followLinks } from "./links.ts";
import { isStartupFile } from "./startup-files.ts";
import { isKnown, type Stream, stream, TAINT } from "./values.ts";
import { fileWith } from "./written-files.ts";

const NOTHING_KNOWN = stream(null);

/** The content of a file, as far as the agent is known to have written it. */
export function readImagined(shell: Shell, path: string): Stream {
  const { state } = shell;
  if (state.files.isEmpty) return NOTHING_KNOWN;
  const written = resolvePath(path, state.cwd);
  if (written === null) return stream(null);
  const resolved = followLinks(shell, written);
  const known = state.files.get(resolved);
  if (known?.isBuilt) return { ...NOTHING_KNOWN, isProjects: true, isBuilt: true };
  if (known) return { taint: known.taint, text: known.text, listing: known.listing ?? null, isWritten: true };
  const folder = state.files.getByFolder(resolved);
  if (folder === undefined) return stream(null);
  if (folder.isBuilt) return { ...NOTHING_KNOWN, isProjects: true, isBuilt: true };
  return { ...stream(null, folder.taint), ...((folder.isFolded || folder.isUnpacked) && { isWritten: true as const }) };
}

/** Remembers what is written to a file. True if a shell, a hook or a timer will run it. */
export function writeImagined(
  shell: Shell,
  path: string,
  content: Stream,
  { isAppended }: { isAppended: boolean },
): boolean {
  const { state } = shell;
  const written = resolvePath(path, state.cwd);
  if (written === null || !isKnown(written)) return false;
  const absolute = followLinks(shell, written);
  const resolved = path.endsWith("/") ? `${absolute}/` : absolute;
  const runsLater = isStartupFile(resolved);
  if (isHarmlessDevice(resolved)) return runsLater;
  const before = state.files.get(resolved);
  // `touch` leaves the content unchanged, and a copy of the project's own content still counts as the project's.
  if (isAppended && content.text === "" && content.taint === 0) return runsLater;
  if (content.isProjects && !isAppended) {
    // A copy in a scratch folder would otherwise be a file that anybody could have put there.
    const isScratchCopy = content.isOfWorkspace === true && isTemporary(resolved);
    if (content.isBuilt || isScratchCopy) state.files.set(resolved, { taint: 0, text: null, isBuilt: true });
    else state.files.delete(resolved);
    return runsLater;
  }
  const text = isAppended ? appended(before?.text ?? null, content.text) : content.text;
  const taint = (content.taint | (isAppended ? (before?.taint ?? 0) : 0)) & ~TAINT.data;
  const added = isAppended && text === null ? (before?.added ?? "") + (content.text ?? "") : "";
  state.files.set(resolved, { ...fileWith({ ...content, taint, text }), ...(added !== "" && { added }) });
  return runsLater;
}

/** Earlier content is unknown unless it was written here too. */
function appended(before: string | null, added: string | null): string | null {
  return before === null || added === null ? null : before + added;
}
