import type { FileEffect } from "../../language/commands/invocation.ts";
import type { Shell } from "../../language/grammar/shell.ts";
import { type Field, field, HOLE, type Stream, stream, TAINT } from "../../language/state/values.ts";
import { baseName } from "../../language/words/paths.ts";
import { programNamed } from "../catalog/index.ts";
import { readAwkScript } from "../code/awk-script.ts";
import { readSedScript, sedScripts } from "../code/sed-script.ts";
import { isStronger, type ProgramUse, type ValueKind } from "../define-program.ts";
import { hasOption, type OptionSpec, optionValues, parseOptions } from "../options.ts";
import { append, copies, type FindEffects, operandsOf, read, remove, write, writesOption } from "./effect-parts.ts";
import { tar, unzip, zip } from "./effects-archives.ts";
import { aria2c, curl, transfer, urlFile, wget } from "./effects-network.ts";
import { findRoots, foundBelow } from "./feeders.ts";
import { readPath } from "./file-streams.ts";
import { readUse } from "./read-use.ts";

/** What a program does to files, apart from its redirections. */
export function fileEffects(
  shell: Shell,
  program: string,
  args: readonly Field[],
  stdin: Stream,
): readonly FileEffect[] {
  const known = programNamed(program);
  const find = EFFECTS.get(program);
  if (find !== undefined) {
    const found = find(shell, args, stdin);
    return known === undefined ? found : [...found, ...namedByOptions(readUse(known, program, args), found)];
  }
  if (known !== undefined && !known.spec.isHarmless) return tableEffects(readUse(known, program, args), args);
  return NOT_READERS.has(program) ? [] : readsOf(args);
}

/** Files that only the table knows an option to write: no finder has to name them all. */
function namedByOptions({ options }: ProgramUse, found: readonly FileEffect[]): FileEffect[] {
  return options.flatMap(({ kind, value }) =>
    value !== null && kind === "write" && !found.some(({ type, path }) => type !== "read" && path.text === value.text)
      ? [write(value, stream(null))]
      : [],
  );
}

const PROJECTS: Stream = { text: null, taint: 0, listing: null, isProjects: true, isBuilt: true };

/** What the table of a program says that its options and operands are. */
function tableEffects(use: ProgramUse, args: readonly Field[]): FileEffect[] {
  const { options, operands, operandKind } = use;
  // What sends, publishes or runs may take any file that it is told of.
  const isStrong = isStronger(use.does, "local") || use.unknown !== null;
  const named = isStrong && use.wraps === null ? readsOf(args.filter(({ text }) => !/\s/.test(text))) : [];
  const ofKind = (kind: ValueKind, path: Field): FileEffect[] => {
    // What a compiler makes of the project is the project's own.
    if (kind === "write") return [write(path, use.does === "work" ? PROJECTS : stream(null))];
    return kind === "read" || kind === "config" ? [read(path)] : [];
  };
  return [
    ...options.flatMap(({ kind, value, isGuessed }) => {
      if (value === null) return [];
      // Clouds take the text of a file so.
      const url = /^fileb?:\/\/(.+)$/.exec(value.text)?.[1];
      if (url !== undefined) return [read(field(url, value.taint))];
      return isGuessed ? readsOf([value]) : ofKind(kind, value);
    }),
    ...operands.flatMap((operand) => ofKind(operandKind, operand)),
    // `yq -i`: what it is given is what it writes.
    ...(operandKind === "read" && options.some(({ does, kind }) => does === "edit" && kind === "value")
      ? operands.map((operand) => append(operand, stream(null)))
      : []),
    ...named,
    // The arguments of what an interpreter runs may be files.
    ...(use.program.spec.passesOn ? readsOf(args) : []),
  ];
}

/** Programs whose operands are names, patterns or texts, not files to read. */
const NOT_READERS = new Set(
  (
    "echo printf ls dir vdir stat file test [ [[ which whereis type command man whatis apropos info help tldr cd chdir pushd popd pwd mkdir " +
    "basename dirname realpath readlink seq sleep kill killall pkill pgrep date expr true false : export declare typeset local readonly unset set shopt alias " +
    "tree du df exa eza fd fdfind locate npm yarn pnpm hash read chmod chown chgrp touch rmdir ssh-keygen docker podman kubectl"
  ).split(" "),
);

/** Every argument that could be a path: operands, `--opt=path`, `@path`, `key=path`. */
function readsOf(args: readonly Field[]): FileEffect[] {
  return args.flatMap((arg) => {
    const { text, taint } = arg;
    const tail = /(?:=@?|@|^<)([^=@]+)$/.exec(text)?.[1];
    const reads = text.startsWith("-") && !text.includes("=") ? [] : [read(arg)];
    return tail !== undefined && /[/.~]/.test(tail) ? [...reads, read(field(tail, taint))] : reads;
  });
}

const COPY_OPTIONS: OptionSpec = { short: "tSmgo", long: ["target-directory", "suffix", "mode", "owner", "group"] };
const copy: FindEffects = (shell, args) => {
  const { sources, writes } = copies(args, shell, COPY_OPTIONS);
  return [...sources.map(read), ...writes];
};
/** A symbolic link has no content of its own: what it leads to is followed. */
const link: FindEffects = (shell, args, stdin) => {
  const effects = copy(shell, args, stdin);
  if (!args.some(({ text }) => /^-[a-zA-Z]*s|^--symbolic$/.test(text))) return effects;
  return effects.map((effect) => (effect.type === "write" ? append(effect.path, stream("")) : effect));
};
const move: FindEffects = (shell, args) => {
  const { sources, writes } = copies(args, shell, { short: "tS", long: ["target-directory", "suffix"] });
  return [...sources.map(remove), ...writes];
};
const deletes: FindEffects = (_shell, args) =>
  operandsOf(args, { short: "ns", long: ["size", "iterations"] }).map(remove);

const dd: FindEffects = (shell, args, stdin) => {
  const input = args.find(({ text }) => text.startsWith("if="));
  const output = args.find(({ text }) => text.startsWith("of="));
  const source = input && field(input.text.slice(3), input.taint);
  const content = source ? readPath(shell, source) : stdin;
  return [
    ...(source ? [read(source)] : []),
    ...(output ? [write(field(output.text.slice(3), output.taint), content)] : []),
  ];
};

/** `cmake -E remove_directory …` and the like; otherwise it writes where it builds. */
const cmake: FindEffects = (_shell, args) => {
  const at = args.findIndex(({ text }) => text === "-E");
  const verb = args[at + 1]?.text ?? "";
  const rest = args.slice(at + 2).filter(({ text }) => !text.startsWith("-"));
  if (at >= 0)
    return /^(rm|remove|remove_directory)$/.test(verb)
      ? rest.map(remove)
      : rest.map((path) => write(path, stream(null)));
  const known = programNamed("cmake");
  return known === undefined ? [] : tableEffects(readUse(known, "cmake", args), args);
};

/** The first operand is the database; statements follow. */
const databaseFile: FindEffects = (_shell, args) =>
  args
    .filter(({ text }) => !text.startsWith("-") && text !== ":memory:")
    .slice(0, 1)
    .map(read);

const downloads: FindEffects = (_shell, args) =>
  operandsOf(args).map((url) => write(field(urlFile(url.text), url.taint), stream(null, TAINT.network)));

const tee: FindEffects = (_shell, args, stdin) => {
  const parsed = parseOptions(args, {});
  const make = hasOption(parsed, "-a", "--append") ? append : write;
  return parsed.operands.map((path) => make(path, stdin));
};

const sed: FindEffects = (_shell, args) => {
  const parsed = parseOptions(args, { short: "ef", long: ["expression", "file"] });
  const operands = hasOption(parsed, "-e", "-f", "--expression", "--file") ? parsed.operands : parsed.operands.slice(1);
  // `-i ''` is how BSD writes "no backup".
  const files = operands.filter(({ text }) => text !== "");
  const inPlace = [...parsed.options.keys()].some((name) => name === "-i" || name === "--in-place");
  const named = sedScripts(args).flatMap(({ text, taint }) => {
    const { reads, writes } = readSedScript(text);
    return [
      ...[...new Set(writes)].map((path) => write(field(path, taint), stream(null))),
      ...[...new Set(reads)].map((path) => read(field(path, taint))),
    ];
  });
  return [...files.map(inPlace ? (path: Field) => write(path, stream(null)) : read), ...named];
};

const awk: FindEffects = (_shell, args) => {
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

const find: FindEffects = (_shell, args) => [
  ...(args.some(({ text }) => text === "-delete") ? findRoots(args).map((root) => remove(foundBelow(root, args))) : []),
  ...args.flatMap((arg, at) => {
    const path = args[at + 1];
    return ["-fprint", "-fprint0", "-fprintf", "-fls"].includes(arg.text) && path
      ? [write(path, stream(args[at + 2]?.text ?? null))]
      : [];
  }),
];

const git: FindEffects = (_shell, args) => {
  const parsed = parseOptions(args, { short: "oCcmF", long: ["output", "git-dir", "work-tree", "message", "file"] });
  const verb = args.find(({ text }) => !text.startsWith("-"))?.text;
  const outputs =
    verb === "commit"
      ? []
      : optionValues(parsed, "--output", ...(verb === "archive" || verb === "format-patch" ? ["-o"] : []));
  const written = outputs.map((path) => write(path, stream(null)));
  if (verb === "clone") {
    const [, url, directory] = parsed.operands;
    const target = directory?.text ?? (url ? baseName(url.text).replace(/\.git$/, "") : "");
    if (target !== "") written.push(write(field(`${target}/`), stream(null, TAINT.network)));
  }
  const reads = verb === "add" || verb === "diff" || verb === "stage" ? parsed.operands.slice(1).map(read) : [];
  const given =
    verb === "config"
      ? args.flatMap(({ text, taint }, at) => {
          const attached = /^--file=(.+)$/.exec(text)?.[1];
          if (attached !== undefined) return [field(attached, taint)];
          return /^(-f|--file)$/.test(text) ? args.slice(at + 1, at + 2) : [];
        })
      : optionValues(parsed, ...(verb === "commit" || verb === "tag" ? ["-F", "--file"] : []));
  return [...written, ...reads, ...given.map(read)];
};

const writesOperands: FindEffects = (_shell, args) =>
  operandsOf(args, { short: "srdtmg", long: ["size", "reference", "date", "mode"] }).map((path) =>
    append(path, stream("")),
  );

const grep: FindEffects = (_shell, args) => {
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
  return [...files.map(read), ...optionValues(parsed, "-f", "--file").map(read)];
};

/** `perl -pi`: the files after the code are edited where they are. */
const inPlaceScript: FindEffects = (_shell, args) => {
  const parsed = parseOptions(args, { short: "eEIMm" });
  return parsed.operands.map(hasOption(parsed, "-i") ? (path: Field) => write(path, stream(null)) : read);
};

/** `:w path` in the commands that an editor is started with. */
const editor: FindEffects = (_shell, args) => [
  ...operandsOf(args, { short: "cSu", long: ["cmd"] }).map(read),
  ...args.flatMap(({ text, taint }) => {
    const path = /^\+?:?\s*(?:w|wq|write|saveas)!?\s+([^\s!]\S*)$/.exec(text)?.[1];
    return path === undefined ? [] : [write(field(path, taint), stream(null))];
  }),
];

/** `--arg name value` takes two words, and so do the options that read a file into a name. */
const jq: FindEffects = (_shell, args) => {
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

const openssl: FindEffects = (_shell, args) => {
  const parsed = parseOptions(args, { singleDashLong: true, long: ["in", "out", "inkey", "pass", "k", "keyfile"] });
  return [
    ...optionValues(parsed, "-out").map((path) => write(path, stream(null))),
    // A certificate is public.
    ...(/^(x509|crl|verify|req)$/.test(args[0]?.text ?? "") ? [] : optionValues(parsed, "-in", "-inkey").map(read)),
  ];
};

/** A patch of more files than this is for a person to read. */
const MAX_PATCHED = 200;

/** The patch format of a coding agent names each file on a line of its own. */
const applyPatch: FindEffects = (_shell, args, stdin) => {
  const texts = [...args, ...(stdin.text === null ? [] : [field(stdin.text, stdin.taint)])];
  const named = texts.flatMap(({ text, taint }) =>
    [...text.matchAll(/^\*\*\* (Update File|Add File|Delete File|Move to): (.+)$/gm)].map(([, act, path]) => ({
      act,
      path: field((path ?? "").trim(), taint),
    })),
  );
  // Nobody knows what it changes.
  if (named.length === 0 || named.length > MAX_PATCHED) return [write(field(HOLE, TAINT.data))];
  return named.map(({ act, path }) => (act === "Delete File" ? remove(path) : append(path, stream(null))));
};

const EFFECTS: ReadonlyMap<string, FindEffects> = new Map<string, FindEffects>([
  [
    "split",
    (_shell, args) =>
      operandsOf(args, {
        short: "abClnt",
        long: ["suffix-length", "bytes", "line-bytes", "lines", "number", "separator", "additional-suffix", "filter"],
      }).map((path, at) => (at === 1 ? write(field(`${path.text}aa`, path.taint), stream(null)) : read(path))),
  ],
  ["apply_patch", applyPatch],
  ["applypatch", applyPatch],
  ["cp", copy],
  ["gcp", copy],
  ["install", copy],
  ["ln", link],
  ["link", copy],
  ["mv", move],
  ["rename", move],
  ...["rm", "unlink", "rmdir", "srm", "trash", "trash-put", "grm", "shred"].map((name) => [name, deletes] as const),
  ...["rimraf", "del-cli"].map((name) => [name, deletes] as const),
  ["cmake", cmake],
  ...["sqlite3", "duckdb"].map((name) => [name, databaseFile] as const),
  ...["lwp-download", "axel"].map((name) => [name, downloads] as const),
  ["dd", dd],
  ["tee", tee],
  ["sponge", tee],
  ["sed", sed],
  ["gsed", sed],
  ...["awk", "gawk", "mawk", "nawk"].map((name) => [name, awk] as const),
  ["curl", curl],
  ["wget", wget],
  ["tar", tar],
  ["bsdtar", tar],
  ["zip", zip],
  ["unzip", unzip],
  ["find", find],
  ["git", git],
  // An identity file is used, not sent.
  ["ssh", () => []],
  ["scp", transfer],
  ["rsync", transfer],
  [
    "sort",
    writesOption(["-o", "--output"], {
      short: "kStT",
      long: ["key", "compress-program", "temporary-directory", "buffer-size", "parallel"],
    }),
  ],
  ["gpg", writesOption(["-o", "--output"])],
  ["openssl", openssl],
  ["perl", inPlaceScript],
  ["ruby", inPlaceScript],
  ...["vi", "vim", "nvim", "ex", "view"].map((name) => [name, editor] as const),
  ["aria2c", aria2c],
  ["base64", (_shell, args) => operandsOf(args, { short: "wio", long: ["wrap"] }).map(read)],
  ["truncate", writesOperands],
  ["touch", writesOperands],
  ["mkdir", writesOperands],
  ["mkfifo", writesOperands],
  ["mknod", writesOperands],
  ["chattr", writesOperands],
  ["setfacl", writesOperands],
  [
    "uniq",
    (_shell, args) =>
      operandsOf(args, { short: "fsw" }).map((path, at) => (at === 1 ? write(path, stream(null)) : read(path))),
  ],
  ...["grep", "egrep", "fgrep", "rg", "ag", "ack", "zgrep"].map((name) => [name, grep] as const),
  ["jq", jq],
  [
    "xxd",
    (_shell, args) =>
      operandsOf(args, { short: "closgn" }).map((path, at) => (at === 1 ? write(path, stream(null)) : read(path))),
  ],
  [
    "chmod",
    (_shell, args) =>
      operandsOf(args, {})
        .slice(1)
        .map((path) => append(path, stream(""))),
  ],
  ["ssh-keygen", writesOption(["-f"], { short: "tbCNPmOIVnzs" })],
]);
