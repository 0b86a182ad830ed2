import type { FileEffect } from "../../../language/commands/invocation.ts";
import type { Shell } from "../../../language/grammar/shell.ts";
import { type Field, field, isKnown, type Stream, stream } from "../../../language/state/values.ts";
import { baseName, isInside, resolvePath } from "../../../language/words/paths.ts";
import { hasOption, optionValues, type ParsedOptions, parseOptions } from "../../options.ts";
import { append, type FindEffects, read, remove, write } from "../effect-parts.ts";
import { readPath } from "../file-streams.ts";
import { holdsOtherFiles } from "./foreign-folders.ts";

/** Archives: packed files are read, unpacked ones are written. */
export const tar: FindEffects = (shell, args, stdin) => {
  const { parsed, archive, directory } = readTar(args);
  if (hasOption(parsed, "-x", "--extract", "--get")) {
    const file = archive && archive.text !== "-" ? archive : null;
    return unpack(shell, file, file === null ? stdin : readPath(shell, file), { directory, members: parsed.operands });
  }
  if (!packs(parsed)) return archive ? [read(archive)] : [];
  // Names are relative to the last folder option; a list of names may contain any.
  const below = ({ text, taint }: Field): Field =>
    text.startsWith("/") || directory.text === "." ? field(text, taint) : field(`${directory.text}/${text}`, taint);
  const lists = optionValues(parsed, "-T", "--files-from");
  if (lists.length > 0) shell.note("dynamic-code", "a list of the files to pack");
  const members = parsed.operands.flatMap((path) => (directory.text === "." ? [path] : [path, below(path)]));
  const packed = pack(shell, archive ?? null, parsed.operands, directory.text);
  return [
    ...members.map(hasOption(parsed, "--remove-files") ? remove : read),
    ...(archive && archive.text !== "-" ? [write(archive, packed)] : []),
  ];
};

/** The output of `tar cf - …`. Null if it prints something else. */
export function packedByTar(shell: Shell, args: readonly Field[]): Stream | null {
  const { parsed, archive, directory } = readTar(args);
  if (!packs(parsed) || (archive !== undefined && archive.text !== "-")) return null;
  return pack(shell, null, parsed.operands, directory.text);
}

const packs = (parsed: ParsedOptions) => hasOption(parsed, "-c", "-r", "-u", "-A", "--create", "--append", "--update");

function readTar(args: readonly Field[]): { parsed: ParsedOptions; archive: Field | undefined; directory: Field } {
  const bundled =
    args[0] && !args[0].text.startsWith("-") && /^[a-zA-Z]+$/.test(args[0].text)
      ? [field(`-${args[0].text}`), ...args.slice(1)]
      : args;
  const parsed = parseOptions(bundled, {
    short: "fCITXbgKNVF",
    long: [
      "file",
      "directory",
      "use-compress-program",
      "exclude",
      "files-from",
      "to-command",
      "transform",
      "checkpoint-action",
    ],
  });
  const archive = optionValues(parsed, "-f", "--file")[0];
  return { parsed, archive, directory: optionValues(parsed, "-C", "--directory")[0] ?? field(".") };
}

export const zip: FindEffects = (shell, args) => {
  const parsed = parseOptions(args, { short: "xitnP", singleDashLong: true, long: ["TT", "include", "exclude"] });
  const [archive, ...operands] = parsed.operands;
  // Patterns select what a recursive run packs.
  const members = [...operands, ...optionValues(parsed, "-i", "--include")];
  return [...members.map(read), ...(archive ? [write(archive, pack(shell, archive, members, "."))] : [])];
};

export const unzip: FindEffects = (shell, args) => {
  const parsed = parseOptions(args, { short: "dxP" });
  if (hasOption(parsed, "-l", "-t", "-v", "-Z", "-p")) return parsed.operands.map(read);
  const archive = parsed.operands[0];
  const directory = optionValues(parsed, "-d")[0] ?? field(".");
  return archive
    ? unpack(shell, archive, readPath(shell, archive), { directory, members: parsed.operands.slice(1) })
    : [];
};

/** `7z x a.7z -oDIR`, `7z a a.7z dir`. */
export const sevenZip: FindEffects = (shell, args) => {
  const [verb, archive, ...members] = args.filter(({ text }) => !text.startsWith("-"));
  if (archive === undefined) return [];
  if (/^[au]$/.test(verb?.text ?? ""))
    return [...members.map(read), write(archive, pack(shell, archive, members, "."))];
  if (!/^[xe]$/.test(verb?.text ?? "")) return [read(archive)];
  const into = args.find(({ text }) => /^-o./.test(text));
  const directory = into ? field(into.text.slice(2), into.taint) : field(".");
  return unpack(shell, archive, readPath(shell, archive), { directory, members });
};

/** The agent's files keep their origin in the archive, and when they are unpacked. */
function pack(shell: Shell, archive: Field | null, members: readonly Field[], directory: string): Stream {
  const { files, cwd } = shell.state;
  const from = resolvePath(directory, cwd);
  const into = archive === null ? null : resolvePath(archive.text, cwd);
  let taint = 0;
  const foreign: string[] = [];
  for (const member of members) {
    const path = from === null ? null : resolvePath(member.text, from);
    const content = readPath(shell, path === null ? member : field(path, member.taint));
    const name = path !== null && from !== null && isInside(path, from) ? path.slice(from.length + 1) : path?.slice(1);
    taint |= content.taint;
    // In a pipe it is not tracked which of the files were the agent's.
    const isAgents = path !== null && (content.isWritten === true || files.hasBelow(path));
    if (into === null ? isAgents || !content.isProjects : !content.isProjects && !content.isWritten)
      foreign.push(name ?? "");
    if (into === null || path === null || name === undefined) continue;
    const file = files.get(path);
    if (file !== undefined) files.set(`${into}/${name}`, file);
    files.copyFolder(path, name === "" ? into : `${into}/${name}`);
  }
  const packed = stream(null, taint);
  return foreign.length > 0 ? { ...packed, members: foreign } : { ...packed, isProjects: true, isBuilt: true };
}

/** The unpacked files: the agent's own if they were packed as such, otherwise of unknown origin. */
function unpack(
  shell: Shell,
  archive: Field | null,
  content: Stream,
  { directory, members }: { directory: Field; members: readonly Field[] },
): FileEffect[] {
  const { files, cwd } = shell.state;
  const into = resolvePath(directory.text, cwd);
  const from = archive === null ? null : resolvePath(archive.text, cwd);
  if (from !== null && into !== null && isKnown(into)) files.copyFolder(from, into);
  if (!content.isProjects && into !== null && isKnown(into)) {
    // Next to other files, only what the archive contains may become suspect, so its names must be known.
    const isMixed = holdsOtherFiles(shell, into);
    const asked = members.map(({ text }) => text).filter(isKnown);
    const known = content.members ?? (asked.length === members.length ? asked : []);
    const isOpened = from !== null && files.hasBelow(from);
    if (isMixed && known.length === 0 && !isOpened) shell.note("unpacks-unknown", archive?.text ?? "-");
    // Once a person has approved it, at least the folder named like the archive is not the project's own.
    const guessed = archive === null ? [] : [baseName(archive.text).replace(/(\.tar)?\.\w+$/, "")];
    const names = known.length > 0 ? known : guessed;
    for (const path of isMixed ? names.map((name) => `${into}/${name}`) : [into]) {
      files.set(`${path}/`, { taint: content.taint, text: null, isUnpacked: true });
      if (isMixed) files.set(path, { taint: 0, text: null });
    }
  }
  return [
    ...(archive ? [read(archive)] : []),
    content.taint !== 0 && holdsOtherFiles(shell, into)
      ? write(field(`${directory.text}/`, directory.taint), stream(null, content.taint))
      : append(field(`${directory.text}/`, directory.taint), stream("")),
  ];
}
