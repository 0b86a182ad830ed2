import { quoteWord } from "@belay/protocol";
import { isTemporary } from "../../../dangers/paths/danger-paths.ts";
import { projectOf } from "../../../dangers/paths/project-paths.ts";
import type { FileEffect } from "../../../language/commands/invocation.ts";
import { recordGroup } from "../../../language/commands/redirections.ts";
import type { Shell } from "../../../language/grammar/shell.ts";
import { type Field, field, has, isKnown, stream, TAINTS_NEVER_RUN } from "../../../language/state/values.ts";
import { isInside, resolvePath } from "../../../language/words/paths.ts";
import { programNamed } from "../../catalog/index.ts";
import type { ProgramUse } from "../../define-program.ts";
import { readUse } from "../../effects/read-use.ts";
import { type CodeKind, dangersInCode } from "../inline-code.ts";
import { deletesElsewhere } from "./deleted-elsewhere.ts";
import { commandsOfFile, type FileCommand } from "./file-commands.ts";
import { codeInSettings, givesContainerRights } from "./foreign-settings.ts";
import { printsEnvironment, secretsReadBy } from "./secret-reads.ts";
import { commandsInSettings } from "./settings-commands.ts";

const CODE_FILE =
  /\.(py|js|mjs|cjs|ts|mts|cts|jsx|tsx|go|rb|rs|java|kt|kts|gradle|groovy|php|pl|lua|ex|exs|cs|csx|fs|fsx|swift|scala|nix|tf|c|cc|cpp|cxx|h|hpp|m|zig|nim|cr|hs|ml|d|jl|R|clj|dart|rake)$|\/(Rakefile|Gemfile|Makefile|justfile)$/;
const MAKEFILE = /\/((GNU)?[Mm]akefile[^/]*|[^/]*\.mk|\.?[Jj]ustfile|\.?JUSTFILE)$/;
const KINDS: Readonly<Record<string, CodeKind>> = {
  py: "python",
  rb: "ruby",
  php: "php",
  pl: "perl",
  lua: "lua",
  ex: "elixir",
  exs: "elixir",
  groovy: "other",
  gradle: "other",
};
/** With more files than this, they are not checked individually. */
const MAX_FILES = 8;

/**
 * Tests, builds and installs run files of the project that the command does not name. Those that this terminal wrote
 * are judged by their text, as if they were named.
 */
export function judgeWritten(shell: Shell, program: string, args: readonly Field[]): void {
  if (shell.state.files.isEmpty || shell.how.isInWrittenCode) return;
  const known = programNamed(program);
  if (known === undefined) return;
  const use = readUse(known, program, args);
  if (use.does !== "work" && use.does !== "restore") return;
  if (foldersOf(shell, use).some((folder) => isBroughtIn(shell, folder))) shell.note("unpacked-code", program);
  for (const { path, text, taint } of shell.state.files.newestTexts(MAX_FILES)) {
    if (!mayBeLoaded(shell, path)) continue;
    if (givesContainerRights(program, path, text)) shell.note("grave-code", program);
    if (codeInSettings(path, text).some((code) => isForeign(shell, code))) shell.note("written-code", path);
    const settings = commandsInSettings(program, path, text).map(guess);
    const isCode = CODE_FILE.test(path) || MAKEFILE.test(path);
    if (!isCode && settings.length === 0) continue;
    const { dangers } = dangersInCode(text, shell.context.home, kindOf(path));
    for (const danger of dangers) shell.note("inline-danger", danger);
    const secrets = secretsReadBy(text, shell.context.home);
    if (secrets.length > 0) {
      const reads = secrets.map((name): FileEffect => ({ type: "read", path: homeOf(shell, name), content: null }));
      recordGroup(shell, reads, stream(""));
    }
    if (printsEnvironment(text)) shell.note("grave-code", program);
    if (isCode && deletesElsewhere(text, shell.state.cwd, shell.context.home, shell.context.workspace))
      shell.note("grave-code", program);
    for (const command of [...(isCode ? commandsIn(path, text, use) : []), ...settings]) {
      const how = { wrappers: [...shell.how.wrappers, program], isInWrittenCode: true, isGuess: command.isGuess };
      shell.inSubshell(() => shell.under(how, () => shell.runText(field(command.text, taint), stream(""), path)));
    }
  }
}

/** A file of the project, or one beside a script in a scratch folder, where interpreters look for modules. */
function mayBeLoaded({ state: { cwd }, context }: Shell, path: string): boolean {
  return projectOf(path, cwd, context) !== null || (cwd !== null && isTemporary(`${cwd}/x`) && isInside(path, cwd));
}

/** Code that is in no project. */
function isForeign(shell: Shell, code: string): boolean {
  const path = resolvePath(homeOf(shell, code).text, shell.state.cwd);
  return path !== null && projectOf(path, shell.state.cwd, shell.context) === null;
}

/** The language of a file, by its name. */
function kindOf(path: string): CodeKind {
  const extension = path.slice(path.lastIndexOf(".") + 1);
  return KINDS[extension] ?? (/^[cm]?[jt]sx?$/.test(extension) ? "javascript" : "compiled");
}

function homeOf({ context }: Shell, path: string): Field {
  return field(path.startsWith("~") ? context.home + path.slice(1) : path);
}

/** The folders that it treats as the project: the current one, those of its options, and paths among its operands. */
function foldersOf({ state: { cwd } }: Shell, { options, operands, stopsAtOperand }: ProgramUse): string[] {
  const named = [
    ...options.flatMap(({ kind, value }) => (kind === "folder" || kind === "config" ? (value ?? []) : [])),
    ...(stopsAtOperand ? operands.slice(0, 1) : operands),
  ].filter(({ text }) => isKnown(text));
  return [...(cwd === null ? [] : [cwd]), ...named.flatMap(({ text }) => resolvePath(text, cwd) ?? [])];
}

/**
 * Whether the file is in a folder that was unpacked from an archive of unknown content, or that this command fetched
 * from the network.
 */
function isBroughtIn({ state: { files } }: Shell, folder: string): boolean {
  const known = files.getByFolder(`${folder}/x`);
  return known !== undefined && (known.isUnpacked === true || has(known.taint, TAINTS_NEVER_RUN));
}

/** What the program runs of a file: the lines that make and just pass to a shell, hooks, calls that start a program. */
function commandsIn(path: string, text: string, { program, verb }: ProgramUse): FileCommand[] {
  if (path.endsWith(".nix")) return hooksOf(text).map(certain);
  if (path.endsWith(".tf")) return program.names.includes("terraform") ? externalPrograms(text).map(certain) : [];
  if (path.endsWith(".go") && verb === "generate") return [...commandsOfFile(text), ...generatorsOf(text).map(certain)];
  return MAKEFILE.test(path) ? recipesOf(text).map(certain) : commandsOfFile(text);
}

const certain = (text: string): FileCommand => ({ text, isGuess: false });
/** Some texts in settings only describe a task. */
const guess = (text: string): FileCommand => ({ text, isGuess: true });

/** `//go:generate mockgen -source x.go` */
function generatorsOf(text: string): string[] {
  return [...text.matchAll(/^\/\/go:generate[ \t]+(.+)$/gm)].map(([, command = ""]) => command);
}

/** `program = ["sh", "-c", "…"]` of an external data source, which runs even to make a plan. */
function externalPrograms(text: string): string[] {
  return [...text.matchAll(/\bprogram\s*=\s*\[([^\]]{0,2000})\]/g)].map(([, list = ""]) =>
    [...list.matchAll(/"((?:[^"\\]|\\.)*)"/g)]
      .map(([, word = ""]) => quoteWord(word.replace(/\\(.)/g, "$1")))
      .join(" "),
  );
}

/** Shell code in Nix: every text between doubled quotes, and the values of hooks and phases. */
function hooksOf(text: string): string[] {
  const blocks = [...text.matchAll(/''([\s\S]*?)''/g)].map(([, code = ""]) => code);
  const values = [...text.matchAll(/(?:[Hh]ook|[Pp]hase|[Cc]ommand|[Ss]cript|text)\s*=\s*"((?:[^"\\]|\\.)*)"/g)];
  return [...blocks, ...values.map(([, code = ""]) => code)];
}

function recipesOf(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => /^(\t| {2,})\S/.test(line))
    .map((line) => line.trim().replace(/^[@+-]+/, ""))
    .filter((line) => line !== "" && !line.startsWith("#"));
}
