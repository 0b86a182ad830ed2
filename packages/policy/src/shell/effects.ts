import { readPath } from "./file-streams.ts";
import type { FileEffect } from "./invocation.ts";
import { hasOption, type OptionSpec, optionValues, type ParsedOptions, parseOptions } from "./options.ts";
import { baseName } from "./paths.ts";
import { readSedScript } from "./sed-script.ts";
import type { Shell } from "./shell.ts";
import { type Field, field, type Stream, stream, TAINT } from "./values.ts";

type FindEffects = (shell: Shell, args: readonly Field[], stdin: Stream) => readonly FileEffect[];

/** What a program does to files, apart from its redirections. */
export function fileEffects(
  shell: Shell,
  program: string,
  args: readonly Field[],
  stdin: Stream,
): readonly FileEffect[] {
  const find = EFFECTS.get(program);
  if (find !== undefined) return find(shell, args, stdin);
  return NOT_READERS.has(program) ? [] : readsOf(args);
}

/** Programs whose operands are names, patterns or texts, not files to read. */
const NOT_READERS = new Set(
  (
    "echo printf ls dir vdir stat file test [ [[ which whereis type command man whatis apropos info help tldr cd chdir pushd popd pwd mkdir " +
    "basename dirname realpath readlink seq sleep kill killall pkill pgrep date expr true false : export declare typeset local readonly unset set shopt alias " +
    "tree du df exa eza fd fdfind locate npm yarn pnpm hash read chmod chown chgrp touch rmdir ssh-keygen docker podman kubectl"
  ).split(" "),
);

const read = (path: Field): FileEffect => ({ type: "read", path, content: null });
const write = (path: Field, content: Stream | null = null): FileEffect => ({ type: "write", path, content });
const append = (path: Field, content: Stream | null = null): FileEffect => ({ type: "append", path, content });
const remove = (path: Field): FileEffect => ({ type: "delete", path, content: null });

/** Every argument that could be a path: operands, `--opt=path`, `@path`, `key=path`. */
function readsOf(args: readonly Field[]): FileEffect[] {
  return args.flatMap((arg) => {
    const { text, taint } = arg;
    const tail = /(?:=@?|@|^<)([^=@]+)$/.exec(text)?.[1];
    const reads = text.startsWith("-") && !text.includes("=") ? [] : [read(arg)];
    return tail !== undefined && /[/.~]/.test(tail) ? [...reads, read(field(tail, taint))] : reads;
  });
}

const operandsOf = (args: readonly Field[], spec: OptionSpec = {}) => parseOptions(args, spec).operands;

/** `cp`-like: the last operand, or `-t`, is where everything goes. */
function copies(
  args: readonly Field[],
  shell: Shell,
  spec: OptionSpec,
): { sources: readonly Field[]; writes: FileEffect[] } {
  const parsed = parseOptions(args, spec);
  const into = optionValues(parsed, "-t", "--target-directory")[0];
  const sources = into ? parsed.operands : parsed.operands.slice(0, -1);
  const target = into ?? parsed.operands.at(-1);
  if (target === undefined || (sources.length === 0 && !into)) return { sources: parsed.operands, writes: [] };
  const writes = sources.flatMap((source) => {
    const content = readPath(shell, source);
    const inside = field(`${target.text.replace(/\/+$/, "")}/${baseName(source.text)}`, target.taint);
    return [write(target, content), write(inside, content)];
  });
  return { sources, writes };
}

const COPY_OPTIONS: OptionSpec = { short: "tSmgo", long: ["target-directory", "suffix", "mode", "owner", "group"] };
const copy: FindEffects = (shell, args) => {
  const { sources, writes } = copies(args, shell, COPY_OPTIONS);
  return [...sources.map(read), ...writes];
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

const tee: FindEffects = (_shell, args, stdin) => {
  const parsed = parseOptions(args, {});
  const make = hasOption(parsed, "-a", "--append") ? append : write;
  return parsed.operands.map((path) => make(path, stdin));
};

const sed: FindEffects = (_shell, args) => {
  const parsed = parseOptions(args, { short: "ef", long: ["expression", "file"] });
  const files = hasOption(parsed, "-e", "-f", "--expression", "--file") ? parsed.operands : parsed.operands.slice(1);
  const inPlace = [...parsed.options.keys()].some((name) => name === "-i" || name === "--in-place");
  const scripts = [...optionValues(parsed, "-e", "--expression"), ...parsed.operands.slice(0, 1)];
  const named = scripts.flatMap((script) =>
    readSedScript(script.text).writes.map((path) => write(field(path, script.taint), stream(null))),
  );
  return [...files.map(inPlace ? (path: Field) => write(path, stream(null)) : read), ...named];
};

const awk: FindEffects = (_shell, args) => {
  const parsed = parseOptions(args, { short: "Fvf", long: ["assign", "file", "field-separator"] });
  const programs = hasOption(parsed, "-f", "--file") ? [] : parsed.operands.slice(0, 1);
  const written = programs.flatMap((program) =>
    [...program.text.matchAll(/print[^;}\n]*?>{1,2}\s*"([^"]+)"/g)].map((match) =>
      write(field(match[1] ?? "", program.taint), stream(null)),
    ),
  );
  return [...parsed.operands.slice(programs.length).map(read), ...written];
};

const curl: FindEffects = (_shell, args) => {
  const parsed = parseOptions(args, CURL_OPTIONS);
  const network = stream(null, TAINT.network);
  const urls = parsed.operands.filter(({ text }) => /^(https?|ftp|file):|\./.test(text));
  const named = hasOption(parsed, "-O", "--remote-name")
    ? urls.map((url) => write(field(urlFile(url.text), url.taint), network))
    : [];
  const uploads = [...optionValues(parsed, "-T", "--upload-file"), ...filesInData(parsed)];
  return [
    ...optionValues(parsed, "-o", "--output", "-D", "--dump-header", "-c", "--cookie-jar")
      .filter(isFile)
      .map((path) => write(path, network)),
    ...named,
    ...uploads.map(read),
  ];
};

export const CURL_OPTIONS: OptionSpec = {
  short: "AbcCdDeEFhHIKmoPQrtTuUwxXyYz",
  long: "output upload-file data data-binary data-raw data-urlencode data-ascii form header request user user-agent cookie cookie-jar config dump-header netrc-file cert key proxy url referer max-time connect-timeout retry write-out resolve json form-string".split(
    " ",
  ),
};

/** `@file` in what curl sends. */
function filesInData(parsed: ParsedOptions): Field[] {
  const data = optionValues(
    parsed,
    "-d",
    "--data",
    "--data-binary",
    "--data-ascii",
    "--data-urlencode",
    "-F",
    "--form",
    "--json",
    "-b",
    "--cookie",
    "-H",
    "--header",
  );
  return data.flatMap((value) => {
    const path = /(?:^|=)?[@<]([^;]+)/.exec(value.text)?.[1];
    return path === undefined || path === "-" ? [] : [field(path, value.taint)];
  });
}

function isFile(path: Field): boolean {
  return path.text !== "-" && path.text !== "/dev/stdout";
}

function urlFile(url: string): string {
  return baseName(url.replace(/[?#].*$/, "")) || "index.html";
}

const wget: FindEffects = (_shell, args) => {
  const parsed = parseOptions(args, {
    short: "OPoaeUtTwQiBDAR",
    long: [
      "output-document",
      "directory-prefix",
      "output-file",
      "header",
      "post-data",
      "post-file",
      "body-file",
      "user-agent",
      "tries",
      "timeout",
    ],
  });
  const network = stream(null, TAINT.network);
  const named = optionValues(parsed, "-O", "--output-document");
  const prefix = optionValues(parsed, "-P", "--directory-prefix")[0];
  const saved =
    named.length > 0
      ? named.filter(isFile)
      : parsed.operands.map((url) =>
          field(prefix ? `${prefix.text}/${urlFile(url.text)}` : urlFile(url.text), url.taint),
        );
  return [
    ...saved.map((path) => write(path, network)),
    ...optionValues(parsed, "--post-file", "--body-file", "-i").map(read),
    ...optionValues(parsed, "-o", "-a").map((path) => append(path, stream(null))),
  ];
};

/** Archives: what they pack is read, where they unpack is written. */
const tar: FindEffects = (shell, args, stdin) => {
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
  const taint = parsed.operands.reduce((all, path) => all | readPath(shell, path).taint, 0);
  return [
    ...parsed.operands.map(hasOption(parsed, "--remove-files") ? remove : read),
    ...(archive && archive.text !== "-" ? [write(archive, stream(null, taint))] : []),
  ];
};

const zip: FindEffects = (shell, args) => {
  const [archive, ...members] = operandsOf(args, { short: "xitnP", singleDashLong: true, long: ["TT"] });
  const taint = members.reduce((all, path) => all | readPath(shell, path).taint, 0);
  return [...members.map(read), ...(archive ? [write(archive, stream(null, taint))] : [])];
};

const unzip: FindEffects = (shell, args) => {
  const parsed = parseOptions(args, { short: "dxP" });
  if (hasOption(parsed, "-l", "-t", "-v", "-Z", "-p")) return parsed.operands.map(read);
  const archive = parsed.operands[0];
  const directory = optionValues(parsed, "-d")[0]?.text ?? ".";
  const taint = archive ? readPath(shell, archive).taint : 0;
  return [...(archive ? [read(archive)] : []), write(field(`${directory}/`), stream(null, taint))];
};

const find: FindEffects = (_shell, args) =>
  args.flatMap((arg, at) => {
    const path = args[at + 1];
    return ["-fprint", "-fprint0", "-fprintf", "-fls"].includes(arg.text) && path
      ? [write(path, stream(args[at + 2]?.text ?? null))]
      : [];
  });

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
  return [...written, ...reads];
};

/** The value of one option is a file that is written. */
const writesOption =
  (names: readonly string[], spec: OptionSpec = {}): FindEffects =>
  (_shell, args) => {
    const short = names
      .filter((name) => /^-\w$/.test(name))
      .map((name) => name.slice(1))
      .join("");
    const parsed = parseOptions(args, {
      ...spec,
      short: short + (spec.short ?? ""),
      long: [...names.map((name) => name.replace(/^--?/, "")), ...(spec.long ?? [])],
    });
    return [...optionValues(parsed, ...names).map((path) => write(path, stream(null))), ...parsed.operands.map(read)];
  };

const writesOperands: FindEffects = (_shell, args) =>
  operandsOf(args, { short: "srdtmg", long: ["size", "reference", "date", "mode"] }).map((path) =>
    append(path, stream("")),
  );

const transfer: FindEffects = (shell, args) => {
  const { sources, writes } = copies(args, shell, {
    short: "PiFlocSJeXB",
    long: ["rsh", "exclude", "include", "rsync-path", "files-from", "password-file"],
  });
  const isRemote = (path: Field) => /^[^/]*:/.test(path.text);
  const fromAfar = sources.some(isRemote) ? TAINT.network : 0;
  return [
    ...sources.filter((path) => !isRemote(path)).map(read),
    ...writes
      .filter(({ path }) => !isRemote(path))
      .map((effect) => ({ ...effect, content: stream(null, fromAfar | (effect.content?.taint ?? 0)) })),
  ];
};

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

const EFFECTS: ReadonlyMap<string, FindEffects> = new Map<string, FindEffects>([
  ["cp", copy],
  ["gcp", copy],
  ["install", copy],
  ["ln", copy],
  ["link", copy],
  ["mv", move],
  ["rename", move],
  ...["rm", "unlink", "rmdir", "srm", "trash", "trash-put", "grm", "shred"].map((name) => [name, deletes] as const),
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
  ["openssl", writesOption(["-out"], { singleDashLong: true, long: ["in", "inkey", "pass", "k", "keyfile"] })],
  ["gcc", writesOption(["-o"])],
  ["cc", writesOption(["-o"])],
  ["clang", writesOption(["-o"])],
  [
    "aria2c",
    (shell, args, stdin) =>
      writesOption(["-o", "--out"])(shell, args, stdin).map((effect) =>
        effect.type === "write" ? { ...effect, content: stream(null, TAINT.network) } : effect,
      ),
  ],
  ["patch", writesOption(["-o", "--output"])],
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
  [
    "jq",
    (_shell, args) =>
      operandsOf(args, { long: ["arg", "argjson", "slurpfile", "rawfile", "indent"] })
        .slice(1)
        .map(read),
  ],
  ["ssh-keygen", writesOption(["-f"], { short: "tbCNPmOIVnzs" })],
]);
