import type { JudgeContext } from "../context.ts";
import { isTemporary } from "../dangers/paths/danger-paths.ts";
import { isProjectPath } from "../dangers/paths/project-paths.ts";
import type { Invocation } from "../language/commands/invocation.ts";
import { type Field, field, isKnown } from "../language/state/values.ts";
import type { Effect, ProgramUse } from "./define-program.ts";
import { leavesFolder, placesIn } from "./effects/places.ts";
import { pathsOf } from "./effects/resolved-effects.ts";

export const LOADS_CODE: ReadonlySet<Effect> = new Set(["work", "restore", "sync"]);

/** Code and settings must come from the project. Otherwise a person is asked. */
export function findOutside(use: ProgramUse, { cwd, effects }: Invocation, context: JudgeContext): string | null {
  // A file that this terminal wrote is judged by its text.
  const isInSight = (path: Field) =>
    effects.some((effect) => effect.path === path && (effect.wasWritten || effect.content?.isBuilt === true));
  const isBuiltHere = (path: Field) =>
    effects.some((effect) => effect.path === path && effect.content?.isBuilt === true);
  const isForeign = (path: Field) =>
    pathsOf(path, cwd).some((one) => !isProjectPath(one, cwd, context)) || (cwd === null && !path.text.startsWith("/"));
  // `next build /tmp/x`, `earthly /tmp/x+build`: a folder, not a file with an ending.
  const isOtherProject = ({ text, taint }: Field) => {
    const path = /^((?:\/(?!\/)|~\/|\.\.(?:\/|$))[^\s=:+]*)(?:[+:][\w-]+)?$/.exec(text)?.[1];
    return path !== undefined && !hasEnding(path) && isForeign(field(path, taint));
  };
  const reason = (what: string) => `Takes ${what} from outside the workspace.`;
  for (const { name, kind, value, isGuessed } of use.options) {
    // `-o/x`: the path is part of the option's own word.
    if (isGuessed && placesIn(field(name)).paths.some((path) => leavesFolder(path) && isForeign(path)))
      return reason("a file");
    if (value === null) continue;
    const settings = pathInside(value) ?? value;
    if (kind === "config" && looksLikePath(settings) && isForeign(settings) && !isBuiltHere(value))
      return reason("settings or code");
    // `jest --config '{"globalSetup": "/tmp/x.js"}'`
    if (
      (kind === "config" || (isGuessed && LOADS_CODE.has(use.does))) &&
      /^\s*\{/.test(value.text) &&
      /["'](?:\/|~|\.\.\/)/.test(value.text)
    )
      return reason("settings or code");
    // `git -C DIR add x` is `cd DIR && git add x`.
    const isProject = (one: string) => isProjectPath(one, one, context);
    if (
      kind === "folder" &&
      (LOADS_CODE.has(use.does) || use.does === "edit") &&
      isForeign(value) &&
      !(isKnown(value.text) && pathsOf(value, cwd).every(isProject))
    )
      return reason("the project");
    if (
      kind === "value" &&
      LOADS_CODE.has(use.does) &&
      namesForeignCode(value, isForeign) &&
      !(isGuessed && isReport(name, value))
    )
      return reason("a file");
    // `cypress run --project /tmp/x`
    if (kind === "value" && LOADS_CODE.has(use.does) && FOLDER_OPTION.test(name) && isOtherProject(value))
      return reason("the project");
    // Any user can put a repository there, with settings that run programs.
    if (kind === "folder" && use.name === "git" && pathsOf(value, cwd).some(isTemporary)) return reason("a repository");
    if (
      isGuessed &&
      use.does !== "remote" &&
      !isReport(name, value) &&
      placesIn(value).paths.some((path) => leavesFolder(path) && isForeign(path))
    )
      return reason("a file");
    // `-o cache_dir=/home/me/x`, `--cov-report html:/home/me/x`
    const inside = LOADS_CODE.has(use.does) && kind !== "code" ? pathInside(value) : null;
    const isScratch =
      inside !== null && isReport(value.text.slice(0, -inside.text.length).replace(/[=:,]+$/, ""), inside);
    if (inside !== null && isForeign(inside) && !(isScratch && pathsOf(inside, cwd).every((one) => isTemporary(one))))
      return reason("a file");
  }
  if (!LOADS_CODE.has(use.does)) return null;
  const loads = use.operandKind === "read" || use.operandKind === "config" || use.operandKind === "folder";
  // Words after a script are the script's own arguments.
  const loaded = use.stopsAtOperand ? use.operands.slice(0, 1) : use.operands;
  if (
    use.operandKind === "value" &&
    use.wraps === null &&
    loaded.some((operand) => namesForeignCode(operand, isForeign))
  )
    return reason("a file");
  if (use.operandKind === "value" && use.wraps === null && use.isOpen && loaded.some(isOtherProject))
    return reason("the project");
  // A new environment in a scratch folder contains no foreign code.
  const isNew = (path: Field) =>
    use.name === "virtualenv" && pathsOf(path, cwd).every((one) => isTemporary(`${one}/x`));
  if (
    loads &&
    loaded.some((operand) => looksLikePath(operand) && isForeign(operand) && !isInSight(operand) && !isNew(operand))
  )
    return reason("files");
  if (use.does !== "work" || cwd === null || isProjectPath(cwd, cwd, context)) return null;
  const isOfProject = (path: Field) => !isForeign(path) || isInSight(path);
  return isTemporary(`${cwd}/x`) && runsOnlyItsOperands(use, loaded, isOfProject) ? null : reason("the project");
}

/** Options that name the folder of a project. */
const FOLDER_OPTION = /^--?(?:[\w-]+-)?(?:projects?|root|cwd|dir|directory|folder|workspace|source)$/i;

const hasEnding = (path: string) => path.slice(path.lastIndexOf("/") + 1).includes(".");

/** `cd /tmp && python3 t.py`: an interpreter or a compiler that takes nothing from the folder but what it is given. */
function runsOnlyItsOperands(
  { namesScript, operands, options, program }: ProgramUse,
  loaded: readonly Field[],
  isOfProject: (path: Field) => boolean,
): boolean {
  const isInline =
    options.some(({ name }) => INLINE.has(name)) ||
    operands[0]?.text === "-" ||
    // Code from its input, unless a module is named.
    (operands.length === 0 && !options.some(({ name }) => name === "-m"));
  const name = program.names[0] ?? "";
  if (isInline) return namesScript && RUN_SCRIPTS.has(name);
  return loaded.length > 0 && (RUN_SCRIPTS.has(name) || COMPILERS.has(name)) && loaded.every(isOfProject);
}

/** Options with code, which is judged as such. */
const INLINE: ReadonlySet<string> = new Set(["-c", "-e", "-p", "--eval", "--print"]);
/** Tables of interpreters: they run the script or the code that they are given. */
const RUN_SCRIPTS: ReadonlySet<string> = new Set("python node tsx bash ruby perl php lua octave".split(" "));
/** They read the files that they are given, and no settings of the folder. */
const COMPILERS: ReadonlySet<string> = new Set(["gcc", "cobc", "rustc", "go"]);

/** `--file=/tmp/graph.json`: the option's name says that it writes a report, and the file type holds no code. */
function isReport(name: string, { text }: Field): boolean {
  const isInert = /^\/tmp\/[\w./-]+\.(?:txt|log|csv|tsv|md|html|xml|svg|png|dot|pdf|prof|out|gz|json)$/.test(text);
  return (
    isInert &&
    !text.includes("..") &&
    /(?:^|-)(?:(?:out|output|log|reports?|results?|stats|trace|dump|coverage|junit)-?file|report|graph|stats|log|trace|profile|dump-?to|csv|json|html|xml|svg|metafile|o|out|output)$|^--?file$/i.test(
      name,
    )
  );
}

/** `--reporters /tmp/r.js`, `-Dext=/tmp/x.jar`: code or settings from a scratch folder or a home, in any option. */
function namesForeignCode({ text, taint }: Field, isForeign: (path: Field) => boolean): boolean {
  const path =
    /(?:^|[=:,])((?:\/tmp\/|\/var\/tmp\/|\/dev\/shm\/|\/home\/|\/Users\/|~\/)[^\s:,]+\.(?:[cm]?[jt]sx?|jar|so|dll|dylib|node|wasm|py|rb|pl|php|lua|sh|json|ya?ml|toml|class|gradle|cmake|targets|props))$/.exec(
      text,
    )?.[1];
  return path !== undefined && isForeign(field(path, taint));
}

/** A path after the name of a setting. */
function pathInside(value: Field): Field | null {
  return placesIn(value).paths.find((path) => leavesFolder(path) && path.text !== value.text) ?? null;
}

function looksLikePath({ text }: Field): boolean {
  return /^(\/|\.\.?(\/|$)|~)|\/\.\.(\/|$)|\//.test(text) && !/^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}
