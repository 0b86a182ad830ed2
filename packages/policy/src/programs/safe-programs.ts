import type { JudgeContext } from "../context.ts";
import type { Invocation } from "../language/commands/invocation.ts";
import { display, field } from "../language/state/values.ts";
import { resolvePath } from "../language/words/paths.ts";
import type { Policy } from "../settings/policy.ts";
import { type Assessment, assess, GRAVE_REASONS, isOwnProgram, raiseIfGrave, SECRET } from "./assess.ts";
import { programNamed } from "./catalog/index.ts";
import { plainToolName } from "./names/cross-tools.ts";
import { projectScriptEffect } from "./names/project-scripts.ts";
import { taskPrintsSecrets } from "./names/secret-words.ts";
import { isStandardPlace, isToolPlace } from "./tool-places.ts";

type Prefixes = ReadonlyMap<string, readonly (readonly string[])[]>;

/** Whether a list of commands covers an invocation: the program, or the program with these first arguments. */
export function isListed(list: Prefixes, invocation: Invocation): boolean {
  return longestPrefix(list, invocation) >= 0;
}

/** How many arguments the matching entry names; -1 if there is none. */
function longestPrefix(list: Prefixes, { program, args }: Invocation): number {
  const prefixes = list.get(program) ?? list.get(plainToolName(program)) ?? [];
  return prefixes.reduce(
    (longest, prefix) =>
      prefix.every((word, at) => args[at]?.text === word) ? Math.max(longest, prefix.length) : longest,
    -1,
  );
}

const SAFE: Assessment = { level: "safe", rule: "known-program", reason: "" };

/** What the list of safe commands, the program's table and its location say about an invocation. */
export function judgeProgram(invocation: Invocation, context: JudgeContext, policy: Policy): Assessment {
  return raiseIfGrave(lookUp(invocation, context, policy), invocation);
}

function lookUp(invocation: Invocation, context: JudgeContext, policy: Policy): Assessment {
  const { ordinaryWork } = policy.settings;
  const place = placeOf(invocation, context);
  const unknown = {
    level: "unknown",
    rule: "unknown-program",
    reason: `"${display(invocation.path)}" is not known to be safe.`,
  } as const;
  const unlisted = { ...unknown, isUnlisted: true } as const;
  if (place === "elsewhere") return unlisted;
  const listed = longestPrefix(policy.safe, invocation);
  if (listed > 0) return SAFE;
  const assessed = assess(invocation, context, ordinaryWork);
  // A wrapper script of the project, such as `./gradlew`, counts as the program that it wraps. Any other file is a
  // script of the project.
  if (place === "project") {
    if (assessed !== null) return assessed;
    if (taskPrintsSecrets(invocation.path, invocation.args)) return SECRET;
    const effect = projectScriptEffect([field(invocation.path), ...invocation.args]);
    return effect !== null ? GRAVE_REASONS[effect] : ordinaryWork.ownScripts ? SAFE : unknown;
  }
  // A team may have left a described program out of its list.
  if (listed < 0) return assessed === null ? unlisted : assessed.level === "safe" ? unknown : assessed;
  return assessed ?? SAFE;
}

/** The location of the program that a name or a path starts. */
function placeOf(invocation: Invocation, context: JudgeContext): "path" | "project" | "elsewhere" {
  if (!invocation.path.includes("/")) return isScriptByName(invocation) ? "project" : "path";
  if (invocation.isBuilt) return "project";
  const resolved = resolvePath(invocation.path, invocation.cwd);
  if (resolved === null) return "elsewhere";
  if (isStandardPlace(resolved)) return "path";
  if (isOwnProgram(invocation, context)) return "project";
  // A file that the agent put there is judged by its text.
  return isToolPlace(resolved, context.home, invocation.cwd) && !invocation.isWritten ? "path" : "elsewhere";
}

/** Project tools that run a script by a name that the project defines. */
const SCRIPT_RUNNERS = new Set("poetry pipenv pdm rye hatch uv".split(" "));

function isScriptByName({ path, wrappers }: Invocation): boolean {
  return SCRIPT_RUNNERS.has(wrappers.at(-1) ?? "") && programNamed(path) === undefined && /^[\w:.-]+$/.test(path);
}

/** `rm --help`: asks for information instead of using the program. */
export function isQuery({ path, args }: Invocation): boolean {
  const only = args[0]?.text;
  // The program is unknown, but this only prints information about it.
  if (args.length === 1 && only === "version" && !path.includes("/") && programNamed(path) === undefined) return true;
  if (args.length !== 1 || (path.includes("/") && !isStandardPlace(path))) return false;
  return only === "--help" || only === "--version";
}
