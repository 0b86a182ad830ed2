import { type Field, field, STAR, stream } from "../../../language/state/values.ts";
import { activateGlobs } from "../../../language/words/glob.ts";
import { readAwkScript } from "../../code/scripts/awk-script.ts";
import { leadingScripts, readSedScript, sedScripts } from "../../code/scripts/sed-script.ts";
import { hasOption, optionValues, parseOptions } from "../../options.ts";
import { append, type FindEffects, operandsOf, read, write } from "../effect-parts.ts";

export const tee: FindEffects = (_shell, args, stdin) => {
  const parsed = parseOptions(args, {});
  const make = hasOption(parsed, "-a", "--append") ? append : write;
  return parsed.operands.map((path) => make(path, stdin));
};

export const sed: FindEffects = (_shell, args) => {
  const parsed = parseOptions(args, { short: "ef", long: ["expression", "file"] });
  const scripts = hasOption(parsed, "-e", "-f", "--expression", "--file") ? 0 : leadingScripts(parsed.operands).length;
  const isQuiet = hasOption(parsed, "-n", "--quiet", "--silent");
  const operands = parsed.operands.slice(isQuiet ? Math.min(scripts, 1) : scripts);
  // In BSD, `-i ''` means "no backup".
  const files = operands.filter(({ text }) => text !== "");
  const inPlace = [...parsed.options.keys()].some((name) => name === "-i" || name === "--in-place");
  const named = sedScripts(args).flatMap(({ text, taint }) => {
    const { reads, writes } = readSedScript(text);
    return [
      ...[...new Set(writes)].map((path) => write(field(path, taint), stream(null))),
      ...[...new Set(reads)].map((path) => read(field(path, taint))),
    ];
  });
  return [...files.map(inPlace ? (path: Field) => write(path, stream(null)) : read), ...named, ...backups(args)];
};

/** `-i/folder/*`: with a slash the suffix of the backup is a path, where `*` is the name of the file. */
function backups(args: readonly Field[]) {
  return args.flatMap(({ text, taint }) => {
    const suffix = /^(?:-[a-zA-Z0-9]*?i|--in-place=)(.+)$/s.exec(text)?.[1];
    if (suffix?.includes("/") !== true) return [];
    return [write(field(suffix.replaceAll("*", STAR), taint), stream(null))];
  });
}

export const awk: FindEffects = (_shell, args) => {
  const parsed = parseOptions(args, { short: "Fvf", long: ["assign", "file", "field-separator"] });
  const programs = hasOption(parsed, "-f", "--file") ? [] : parsed.operands.slice(0, 1);
  const named = programs.flatMap(({ text, taint }) => {
    const { targets, paths } = readAwkScript(text);
    return [
      ...targets.map((path) => write(field(path, taint), stream(null))),
      ...paths.map((path) => read(field(path, taint))),
    ];
  });
  return [...parsed.operands.slice(programs.length).map(read), ...named];
};

export const grep: FindEffects = (_shell, args) => {
  const parsed = parseOptions(args, {
    short: "efmABCdDgtTj",
    long: [
      "regexp",
      "file",
      "max-count",
      "include",
      "exclude",
      "exclude-dir",
      "glob",
      "iglob",
      "type",
      "after-context",
      "before-context",
      "context",
      "color",
      "pre",
    ],
  });
  const files = hasOption(parsed, "-e", "-f", "--regexp", "--file", "--files")
    ? parsed.operands
    : parsed.operands.slice(1);
  // `--include='.env*'`: it reads exactly these of the files below.
  const wanted = optionValues(parsed, "--include", "-g", "--glob", "--iglob").flatMap(({ text, taint }) =>
    text.startsWith("!") ? [] : [read(field(`./${activateGlobs(text)}`, taint))],
  );
  return [...files.map(read), ...optionValues(parsed, "-f", "--file").map(read), ...wanted];
};

/** `perl -pi`: the files after the code are edited in place. */
export const inPlaceScript: FindEffects = (_shell, args) => {
  const parsed = parseOptions(args, { short: "eEIMm" });
  const files = parsed.operands.map(hasOption(parsed, "-i") ? (path: Field) => write(path, stream(null)) : read);
  return [...files, ...backups(args)];
};

/** `:w path` in the start-up commands of an editor. */
export const editor: FindEffects = (_shell, args) => [
  ...operandsOf(args, { short: "cSu", long: ["cmd"] }).map(read),
  ...args.flatMap(({ text, taint }) => {
    const path = /^\+?:?\s*(?:w|wq|write|saveas)!?\s+([^\s!]\S*)$/.exec(text)?.[1];
    return path === undefined ? [] : [write(field(path, taint), stream(null))];
  }),
];

/** `--arg name value` takes two words, and so do the options that read a file into a variable. */
export const jq: FindEffects = (_shell, args) => {
  const files: Field[] = [];
  let hasFilter = args.some(({ text }) => /^(-f|--from-file)$/.test(text));
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? field("");
    if (/^--(arg|argjson)$/.test(arg.text)) at += 2;
    else if (/^--(slurpfile|rawfile)$/.test(arg.text)) {
      files.push(...args.slice(at + 2, at + 3));
      at += 2;
    } else if (/^(-f|--from-file|-L|--indent)$/.test(arg.text)) {
      if (arg.text !== "--indent") files.push(...args.slice(at + 1, at + 2));
      at += 1;
    } else if (!arg.text.startsWith("-") || arg.text === "-") {
      if (hasFilter) files.push(arg);
      hasFilter = true;
    }
  }
  return files.map(read);
};
