import { type Field, field, stream } from "../../language/state/values.ts";
import { hasOption, optionValues, parseOptions } from "../options.ts";
import { type FindEffects, operandsOf, read, remove, write } from "./effect-parts.ts";
import { readPath } from "./file-streams.ts";

/** Archives: what they pack is read, where they unpack is written. */
export const tar: FindEffects = (shell, args, stdin) => {
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
  const directory = optionValues(parsed, "-C", "--directory")[0] ?? field(".");
  if (hasOption(parsed, "-x", "--extract", "--get")) {
    const content = archive && archive.text !== "-" ? readPath(shell, archive) : stdin;
    return [
      ...(archive ? [read(archive)] : []),
      write(field(`${directory.text}/`, directory.taint), stream(null, content.taint)),
    ];
  }
  const packs = hasOption(parsed, "-c", "-r", "-u", "-A", "--create", "--append", "--update");
  if (!packs) return archive ? [read(archive)] : [];
  // Names count from the last folder that it was told to go to; a list of names may hold any.
  const below = ({ text, taint }: Field): Field =>
    text.startsWith("/") || directory.text === "." ? field(text, taint) : field(`${directory.text}/${text}`, taint);
  const lists = optionValues(parsed, "-T", "--files-from");
  if (lists.length > 0) shell.note("dynamic-code", "a list of the files to pack");
  const members = parsed.operands.flatMap((path) => (directory.text === "." ? [path] : [path, below(path)]));
  const taint = members.reduce((all, path) => all | readPath(shell, path).taint, 0);
  return [
    ...members.map(hasOption(parsed, "--remove-files") ? remove : read),
    ...(archive && archive.text !== "-" ? [write(archive, stream(null, taint))] : []),
  ];
};

export const zip: FindEffects = (shell, args) => {
  const [archive, ...members] = operandsOf(args, { short: "xitnP", singleDashLong: true, long: ["TT"] });
  const taint = members.reduce((all, path) => all | readPath(shell, path).taint, 0);
  return [...members.map(read), ...(archive ? [write(archive, stream(null, taint))] : [])];
};

export const unzip: FindEffects = (shell, args) => {
  const parsed = parseOptions(args, { short: "dxP" });
  if (hasOption(parsed, "-l", "-t", "-v", "-Z", "-p")) return parsed.operands.map(read);
  const archive = parsed.operands[0];
  const directory = optionValues(parsed, "-d")[0]?.text ?? ".";
  const taint = archive ? readPath(shell, archive).taint : 0;
  return [...(archive ? [read(archive)] : []), write(field(`${directory}/`), stream(null, taint))];
};
