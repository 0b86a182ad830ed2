import { type Field, field, HOLE, type Stream, stream, TAINT } from "../../../language/state/values.ts";
import { hasOption, optionValues, parseOptions } from "../../options.ts";
import { append, type FindEffects, read, remove, write } from "../effect-parts.ts";
import { readPath } from "../file-streams.ts";

/** A patch of more files than this needs a person. */
const MAX_PATCHED = 200;
const UNKNOWN_FILE = write(field(HOLE, TAINT.data));

const OPTIONS = {
  short: "pidBVzDFgorY",
  long: "strip input directory output reject-file fuzz suffix prefix basename-prefix version-control ifdef get".split(
    " ",
  ),
};

/** `patch -p1 < fix.patch`: the diff names the files that are written. */
export const patch: FindEffects = (shell, args, stdin) => {
  const parsed = parseOptions(args, OPTIONS);
  const [target, second] = parsed.operands;
  const diff = optionValues(parsed, "-i", "--input")[0] ?? second;
  const content = diff === undefined ? stdin : readPath(shell, diff);
  const reads = diff === undefined ? [] : [read(diff)];
  if (hasOption(parsed, "--dry-run")) return reads;
  const written = optionValues(parsed, "-o", "--output", "-r", "--reject-file").map((path) =>
    write(path, stream(null)),
  );
  const folder = optionValues(parsed, "-d", "--directory")[0]?.text;
  const below = (path: Field): Field => (folder === undefined ? path : field(`${folder}/${path.text}`, path.taint));
  if (target !== undefined) return [...reads, ...written, append(below(target), stream(null))];
  const strip = optionValues(parsed, "-p", "--strip")[0]?.text;
  const patched = patchedFiles(content, strip === undefined ? null : Number(strip));
  return [...reads, ...written, ...patched.map(({ act, path }) => (act === "remove" ? remove : changed)(below(path)))];
};

const changed = (path: Field) => (path.text === HOLE ? UNKNOWN_FILE : append(path, stream(null)));

interface PatchedFile {
  readonly act: "change" | "remove";
  readonly path: Field;
}

/** The files that a diff names. A diff of the project itself changes what its author intended. */
function patchedFiles({ text, taint, isProjects, isWritten }: Stream, strip: number | null): readonly PatchedFile[] {
  const unknown: PatchedFile = { act: "change", path: field(HOLE, TAINT.data) };
  if (text === null) return isWritten === true && isProjects !== true ? [unknown] : [];
  const named: PatchedFile[] = [];
  let before = "";
  for (const line of text.split("\n")) {
    const [, sign = "", name = ""] =
      /^(---|\+\+\+|\*\*\*|Index:|rename to|copy to)\s+"?([^\t"]+?)"?(?:\t.*|\s*)$/.exec(line) ?? [];
    if (sign === "") continue;
    if (sign === "---") before = name;
    const isRemoved = sign === "+++" && name === "/dev/null";
    for (const path of namesOf(isRemoved ? before : name, strip))
      named.push({ act: isRemoved ? "remove" : "change", path: field(path, taint) });
  }
  // Without file names, `patch` asks for one, or the text is an ed script.
  return named.length === 0 || named.length > MAX_PATCHED ? [unknown] : named;
}

/** Without `-p` it tries the whole path and the last part of it. */
function namesOf(name: string, strip: number | null): readonly string[] {
  if (name === "/dev/null" || name === "") return [];
  const steps = name.split("/");
  return strip === null ? [name, steps.at(-1) ?? name] : [steps.slice(strip).join("/") || name];
}
