import type { Shell } from "../../../language/grammar/shell.ts";
import { type Field, HOLE, isKnown, type Stream, stream, TAINT } from "../../../language/state/values.ts";

/** A field of a JSON file, as `jq -r .a.b file` or `node -p "require('./file').a.b"` prints it. */
interface PrintedField {
  readonly path: string;
  readonly file: string;
}

/** Manifests, in which a package manager accepts neither a name nor a version that starts with a dash. */
const MANIFEST = /^(?:\.\/)?(?:[\w-]+\/)*(?:package|composer|deno|manifest)\.json$/;

/**
 * What a field of the project's settings holds, by its name: the name of a package, a version, or a port. Null for any
 * other output, and for a file that the agent wrote.
 */
export function printedField(shell: Shell, program: string, args: readonly Field[]): Stream | null {
  const printed = program === "jq" ? printedByJq(args) : program === "node" ? printedByNode(args) : null;
  if (printed === null || shell.readFile(printed.file).isWritten || shell.readFile(printed.file).text !== null)
    return null;
  if (MANIFEST.test(printed.file) && /^\.(?:name|version)$/.test(printed.path))
    return { ...stream(null, TAINT.name), isName: true };
  // Nobody but the project decides on it, as on a variable of the environment.
  return isPort(printed.path) ? stream(`${HOLE}\n`, TAINT.unset) : null;
}

function printedByJq(args: readonly Field[]): PrintedField | null {
  const words = args.map(({ text }) => text);
  const [path = "", file = "", ...more] = words.filter(
    (word) => !/^(?:-[rej]+|--raw-output|--exit-status)$/.test(word),
  );
  return more.length === 0 && isPath(path) && isFile(file) ? { path, file } : null;
}

function printedByNode(args: readonly Field[]): PrintedField | null {
  const [option, code, ...more] = args.map(({ text }) => text);
  const match = /^\s*require\((["'])(\.\/[\w./-]+\.json)\1\)((?:\.\w+)+)\s*$/.exec(code ?? "");
  if ((option !== "-p" && option !== "--print") || more.length > 0 || match === null) return null;
  const [, , file = "", path = ""] = match;
  return isFile(file) ? { path, file } : null;
}

/** `port`, `devPort`, `server_port`, but not `report`. */
function isPort(path: string): boolean {
  const name = path.slice(path.lastIndexOf(".") + 1);
  return name === "port" || name.endsWith("Port") || name.endsWith("_port");
}

const isPath = (text: string): boolean => /^(?:\.\w+)+$/.test(text);
const isFile = (text: string): boolean =>
  isKnown(text) && /^[\w.-]+(?:\/[\w.-]+)*\.json$/.test(text) && !text.includes("..");
