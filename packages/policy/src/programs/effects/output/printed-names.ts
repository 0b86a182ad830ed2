import { projectOf } from "../../../dangers/paths/project-paths.ts";
import type { Shell } from "../../../language/grammar/shell.ts";
import { type Field, HOLE, has, type Stream, stream, TAINT } from "../../../language/state/values.ts";
import { programNamed } from "../../catalog/index.ts";
import { commandWords } from "../command-words.ts";
import { readUse } from "../read-use.ts";

/** A name that its program guarantees not to start with a dash: of a branch, a tag or a resource. Null for any other output. */
export function printedName(program: string, args: readonly Field[], taint: number): Stream | null {
  if (!printsName(program, args)) return null;
  const [verb, kind = "", ...more] = commandWords(program, args);
  // `kubectl get pods -o name` prints `pod/web-1`.
  const isTyped = verb === "get" && more.length === 0 && /^[a-z]+$/.test(kind);
  const text = isTyped && args.some((arg) => /^(?:-o|--output=)?name$/.test(arg.text)) ? `${kind}/${HOLE}\n` : null;
  return { ...stream(text, taint | TAINT.name), isName: true };
}

function printsName(program: string, args: readonly Field[]): boolean {
  switch (program) {
    case "git":
      return printsReference(args);
    case "kubectl":
    case "oc":
      return commandWords(program, args)[0] === "get" && formatsOf(program, args, "-o", "--output").some(isNameFormat);
    case "docker":
    case "podman":
      return (
        commandWords(program, args)[0] === "ps" &&
        formatsOf(program, args, "--format").some((format) => /^\{\{\s*\.(?:Names|ID)\s*\}\}$/.test(format))
      );
    case "jq":
      return printsResourceName(args);
    case "uname":
    case "arch":
    case "hostname":
      return args.every(({ text }) => /^-[a-z]$/.test(text));
    default:
      return false;
  }
}

/** `kubectl get pods -o json | jq -r '.items[].metadata.name'`: one name of a resource in each line. */
function printsResourceName(args: readonly Field[]): boolean {
  const [filter = "", ...files] = args
    .map(({ text }) => text)
    .filter((word) => word !== "-r" && word !== "--raw-output");
  return (
    args.length === 2 &&
    files.length === 0 &&
    filter.endsWith(".metadata.name") &&
    /^[\w.[\]|() !=<>"'-]+$/.test(filter)
  );
}

/** `-o name`, `-o jsonpath='{.items[0].metadata.name}'`: a cluster only accepts names of letters, digits and dashes. */
function isNameFormat(format: string): boolean {
  return format === "name" || /^jsonpath=\{\.(?:items\[(?:\d+|\*)\]\.)?metadata\.name\}$/.test(format);
}

function formatsOf(program: string, args: readonly Field[], ...names: readonly string[]): readonly string[] {
  const known = programNamed(program);
  if (known === undefined) return [];
  const { options, unknown } = readUse(known, program, args);
  const formats = options.filter(({ name }) => names.includes(name));
  return unknown === null && formats.length === 1 ? [formats[0]?.value?.text ?? ""] : [];
}

/** Git refuses names of branches and tags that start with a dash. */
function printsReference(args: readonly Field[]): boolean {
  const known = programNamed("git");
  if (known === undefined || args.some(({ taint }) => has(taint, TAINT.data | TAINT.unset))) return false;
  const { verb, options, operands, unknown } = readUse(known, "git", args);
  const own = options.filter(({ isGlobal }) => !isGlobal);
  const isGiven = (...names: readonly string[]) => own.some(({ name }) => names.includes(name));
  if (unknown !== null) return false;
  const formats = own.filter(({ name }) => name === "--format");
  const isReference = formats.every(({ value }) => /^%\(refname(?::short)?\)$/.test(value?.text ?? ""));
  switch (verb) {
    case "branch":
      return isGiven("--show-current") || (formats.length > 0 && isReference);
    case "rev-parse":
      return own.length === 1 && isGiven("--abbrev-ref") && operands.length === 1;
    case "symbolic-ref":
      return operands.length === 1 && own.every(({ name }) => ["--short", "-q", "--quiet"].includes(name));
    case "describe":
      return true;
    case "tag":
      return (operands.length === 0 || isGiven("-l", "--list")) && !isGiven("-n") && isReference;
    case "for-each-ref":
      return formats.length > 0 && isReference;
    default:
      return false;
  }
}

/** Variables with which git takes another folder for the project. */
const MOVES_GIT: readonly string[] = ["GIT_DIR", "GIT_WORK_TREE", "GIT_CEILING_DIRECTORIES", "GIT_COMMON_DIR"];

/** `git rev-parse --show-toplevel` in the workspace: its folder, or one inside it. Null for anything else. */
export function projectRoot(shell: Shell, program: string, args: readonly Field[]): Stream | null {
  if (program !== "git" || args.length !== 2 || args[0]?.text !== "rev-parse" || args[1]?.text !== "--show-toplevel")
    return null;
  const { cwd, variables } = shell.state;
  // A link may lead out of the project.
  if (
    cwd === null ||
    shell.state.links.size > 0 ||
    MOVES_GIT.some((name) => variables.has(name) || Object.hasOwn(shell.context.env ?? {}, name))
  )
    return null;
  const root = projectOf(cwd, cwd, shell.context);
  // Any other folder may be a part of a larger repository.
  return root === shell.context.workspace ? stream(`${root}\n`) : null;
}
