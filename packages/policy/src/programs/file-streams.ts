import { holdsSecrets, isSecretPath } from "../dangers/secret-paths.ts";
import { followLinks } from "../language/links.ts";
import { resolvePath } from "../language/paths.ts";
import type { Shell } from "../language/shell.ts";
import { type Field, HOLE, has, isKnown, STAR, type Stream, stream, TAINT } from "../language/values.ts";

/** A path that a search found may be anything below where it searched. */
function isSecret(shell: Shell, path: string, taint: number): boolean {
  const { home } = shell.context;
  if (isSecretPath(path, home)) return true;
  return has(taint, TAINT.listing) && path.endsWith(`/${STAR}`) && holdsSecrets(path.slice(0, -2) || "/", home);
}

/** What reading this path gives: what an earlier command wrote there, a secret, the network, or something unknown. */
export function readPath(shell: Shell, path: Field): Stream {
  if (/^\/dev\/(tcp|udp)\//.test(path.text)) return stream(null, TAINT.network);
  const known = shell.readFile(path.text);
  if (known.text !== null || known.taint !== 0) return known;
  const resolved = resolvePath(path.text, shell.state.cwd);
  if (resolved !== null && isSecret(shell, followLinks(shell, resolved), path.taint)) return stream(null, TAINT.secret);
  // The names came from somewhere; what is in those files did not.
  if (path.text === HOLE) return stream(null, path.taint & ~TAINT.listing);
  return known.isWritten ? known : { ...stream(null), ...(isKnown(path.text) && { isProjects: true as const }) };
}

/** A script that the agent wrote, and of which nobody knows any more what is in it. */
export function noteWrittenCode(shell: Shell, content: Stream, path: string): void {
  if (content.isWritten && content.text === null) shell.note("written-code", path, content.taint);
}
