import type { FileEffect } from "../../language/commands/invocation.ts";
import type { Shell } from "../../language/grammar/shell.ts";
import { type Field, field, type Stream, stream } from "../../language/state/values.ts";
import { programNamed } from "../catalog/index.ts";
import { isStronger, type ProgramUse, type ValueKind } from "../define-program.ts";
import { clonedFolder } from "./cloned.ts";
import { append, type FindEffects, read, remove, write } from "./effect-parts.ts";
import { leavesFolder, placesIn } from "./places.ts";
import { PROGRAM_EFFECTS } from "./program-effects.ts";
import { readUse } from "./read-use.ts";
import { filesInStatements } from "./statement-files.ts";
import { isUsedUnseen } from "./used-settings.ts";

/** A program's effects on files, apart from its redirections. */
export function fileEffects(
  shell: Shell,
  program: string,
  args: readonly Field[],
  stdin: Stream,
): readonly FileEffect[] {
  const known = programNamed(program);
  const named = known?.spec.readsStatements === undefined ? [] : filesInStatements(args, stdin, shell.context.home);
  return [...named, ...ownEffects(shell, program, args, stdin), ...clonedFolder(shell, program, args)];
}

function ownEffects(shell: Shell, program: string, args: readonly Field[], stdin: Stream): readonly FileEffect[] {
  const known = programNamed(program);
  const find = program === "cmake" ? cmake : PROGRAM_EFFECTS.get(program);
  if (find !== undefined) {
    const found = find(shell, args, stdin);
    return known === undefined
      ? found
      : [...found, ...namedByOptions(readUse(known, program, args), found, !USES_FILES.has(program))];
  }
  if (known !== undefined && !known.spec.isHarmless)
    return tableEffects(readUse(known, program, args), args, shell.context.home);
  return NOT_READERS.has(program) ? [] : known === undefined ? touchesOf(args, shell.context.home) : readsOf(args);
}

/** Programs with options that name keys and certificates, which they use without printing them. */
const USES_FILES = new Set("openssl ssh scp sftp rsync curl wget aria2c gpg".split(" "));

/** Files in options that only the table knows, so that no finder has to list them all. */
function namedByOptions({ options }: ProgramUse, found: readonly FileEffect[], printsFiles: boolean): FileEffect[] {
  const isFound = (text: string, isRead: boolean) =>
    found.some(({ type, path }) => (type === "read") === isRead && path.text === text);
  return options.flatMap(({ kind, value }) => {
    if (value === null) return [];
    if (kind === "write") return isFound(value.text, false) ? [] : [write(value, stream(null))];
    return printsFiles && (kind === "read" || kind === "config") && !isFound(value.text, true) ? [read(value)] : [];
  });
}

const PROJECTS: Stream = { text: null, taint: 0, listing: null, isProjects: true, isBuilt: true };

/** Options that name what is not read: `aws s3 sync . s3://b --exclude .env`. */
const LEAVES_OUT = /^--(?:exclude|ignore|skip|omit)(?:-(?:pattern|glob|dir|path))?$/;

/** The effects of a program's options and operands according to its table. */
function tableEffects(use: ProgramUse, args: readonly Field[], home: string): FileEffect[] {
  const { options, operands, operandKind } = use;
  // Programs that send, publish or run may read any argument that is a file.
  const isStrong = isStronger(use.does, "local") || use.unknown !== null;
  const leftOut = new Set(options.filter(({ name }) => LEAVES_OUT.test(name)).map(({ value }) => value));
  const named =
    isStrong && use.wraps === null ? readsOf(args.filter((arg) => !/\s/.test(arg.text) && !leftOut.has(arg))) : [];
  const ofKind = (kind: ValueKind, path: Field): FileEffect[] => {
    // A program that a compiler built from the project counts as the project's own.
    if (kind === "write")
      return [path, ...placesIn(path).paths.filter((part) => part.text !== path.text && leavesFolder(part))].map(
        (one) => write(one, use.does === "work" ? PROJECTS : stream(null)),
      );
    // `--set-file name=.env`
    if (kind === "read" || kind === "config")
      return [path, ...placesIn(path).paths.filter((part) => part.text !== path.text)].map(read);
    return [];
  };
  return [
    ...options.flatMap((option) => {
      const { kind, value, isGuessed } = option;
      if (value === null || leftOut.has(value) || isUsedUnseen(use, option)) return [];
      // The cloud clients use this syntax for the content of a file.
      const url = /^fileb?:\/\/(.+)$/.exec(value.text)?.[1];
      if (url !== undefined) return [read(field(url, value.taint))];
      return isGuessed ? touchesOf([value], home) : [...ofKind(kind, value), ...namedInside(kind, value)];
    }),
    // `-o/x`, `--opt:/x`: a path in the word of an option that is not in the table.
    ...options.flatMap(({ name, isGuessed }) => (isGuessed ? touchesOf([field(name)], home) : [])),
    ...operands.flatMap((operand, at) => (at === 0 && isExpression(use, operand) ? [] : ofKind(operandKind, operand))),
    // `yq -i`, `prettier --write`: the input files are also the output files.
    ...(operandKind === "read" && rewrites(use) ? operands.map((operand) => append(operand, stream(null))) : []),
    ...named,
    // Arguments of an interpreted script may be files. Inline code is looked at as code.
    ...(use.program.spec.passesOn ? readsOf(args.filter((arg) => !isInlineCode(use, arg))) : []),
  ];
}

/** Names of files contain none of these characters, and have another operand that is a file after them. */
function isExpression({ program, operands }: ProgramUse, { text }: Field): boolean {
  return program.spec.startsWithExpression === true && operands.length > 1 && /^(?![/~]).*[[\]|(){}"=]/.test(text);
}

function isInlineCode({ options }: ProgramUse, arg: Field): boolean {
  return options.some(({ name, value }) => name === "-c" && value === arg);
}

function rewrites({ options, program }: ProgramUse): boolean {
  if (options.some(({ does, kind }) => does === "edit" && kind === "value")) return true;
  const { rewrites: when } = program.spec;
  if (when === undefined) return false;
  const isGiven = (names: readonly string[]) => options.some(({ name }) => names.includes(name));
  return "with" in when ? isGiven(when.with) : !isGiven(when.unless);
}

/** Programs whose operands are names, patterns or text, not files to read. */
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

/** Every path in the words of an unknown program or option. It may be read and written. */
function touchesOf(args: readonly Field[], home: string): FileEffect[] {
  const inside = args.flatMap((arg) => placesIn(arg).paths.filter(({ text }) => text !== arg.text));
  // The shell does not expand a tilde inside a word, but the program may do it.
  const expanded = inside.map(({ text, taint }) => field(text.startsWith("~/") ? home + text.slice(1) : text, taint));
  return [...readsOf(args), ...expanded.map(read)].map((effect) => ({ ...effect, mayWrite: true }));
}

/** `-o go-template-file=x`: the value itself says that it names a file. */
function namedInside(kind: ValueKind, { text, taint }: Field): FileEffect[] {
  const equals = text.indexOf("=");
  if (kind !== "value" || equals < 0 || !text.slice(0, equals).toLowerCase().endsWith("file")) return [];
  return [read(field(text.slice(equals + 1), taint))];
}

/** `cmake -E remove_directory …` and similar; otherwise it writes into its build folder. */
const cmake: FindEffects = (shell, args) => {
  const at = args.findIndex(({ text }) => text === "-E");
  const verb = args[at + 1]?.text ?? "";
  const rest = args.slice(at + 2).filter(({ text }) => !text.startsWith("-"));
  if (at >= 0)
    return /^(rm|remove|remove_directory)$/.test(verb)
      ? rest.map(remove)
      : rest.map((path) => write(path, stream(null)));
  const known = programNamed("cmake");
  return known === undefined ? [] : tableEffects(readUse(known, "cmake", args), args, shell.context.home);
};
