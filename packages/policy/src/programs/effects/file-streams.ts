import { holdsSecrets, isSecretPath } from "../../dangers/paths/secret-paths.ts";
import type { Shell } from "../../language/grammar/shell.ts";
import { followLinks } from "../../language/state/links.ts";
import { type Field, HOLE, has, isKnown, STAR, type Stream, stream, TAINT } from "../../language/state/values.ts";
import { isInside, resolvePath } from "../../language/words/paths.ts";

/** A path from a search may be anything below its starting point. */
function isSecret(shell: Shell, path: string, taint: number): boolean {
  const { home } = shell.context;
  if (isSecretPath(path, home)) return true;
  return has(taint, TAINT.listing) && path.endsWith(`/${STAR}`) && holdsSecrets(path.slice(0, -2) || "/", home);
}

/** The content of a path: what an earlier command wrote there, a secret, data from the network, or unknown. */
export function readPath(shell: Shell, path: Field): Stream {
  if (/^\/dev\/(tcp|udp)\//.test(path.text)) return stream(null, TAINT.network);
  if (path.text === "/dev/null") return stream("");
  const known = shell.readFile(path.text);
  if (known.text !== null || known.taint !== 0 || known.isBuilt) return known;
  const resolved = resolvePath(path.text, shell.state.cwd);
  // `"$X/.env"`: the folder is unknown, but the name is not.
  const place = resolved === null ? `/${path.text}` : followLinks(shell, resolved);
  if (isSecret(shell, place, path.taint)) return stream(null, TAINT.secret);
  // The names came from elsewhere, but the contents of the files did not.
  if (path.text === HOLE) return stream(null, path.taint & ~TAINT.listing);
  if (known.isWritten) return known;
  const target = resolved === null ? null : followLinks(shell, resolved);
  if (!isKnown(path.text) || (target !== null && !isInProject(shell, target))) return stream(null);
  const isOfWorkspace = target !== null && isInside(target, shell.context.workspace);
  return { ...stream(null), isProjects: true, ...(isOfWorkspace && { isOfWorkspace: true as const }) };
}

function isInProject(shell: Shell, path: string): boolean {
  return isInside(path, shell.context.workspace) || (shell.state.cwd !== null && isInside(path, shell.state.cwd));
}

/** Whether it is a script that the agent wrote with unknown content, or the agent's link to a file from elsewhere. */
export function noteWrittenCode(shell: Shell, content: Stream, path: string): void {
  if (content.text !== null) return;
  const resolved = resolvePath(path, shell.state.cwd);
  const target = resolved === null ? null : followLinks(shell, resolved);
  const isLinkedIn = target !== null && target !== resolved && !isInProject(shell, target);
  if (content.isWritten || isLinkedIn) shell.note("written-code", path, content.taint);
}
