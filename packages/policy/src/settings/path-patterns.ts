import { hasGlob } from "../language/state/values.ts";
import { matchesWhole } from "../language/words/glob.ts";
import { isInside } from "../language/words/paths.ts";

/** Compiles `protectedPaths`: returns the pattern that matches an absolute path, or null. */
export function compilePathPatterns(patterns: readonly string[]): (path: string, home: string) => string | null {
  const names = new Set(patterns.filter((pattern) => !/[/*]/.test(pattern)));
  const inHome = patterns.filter((pattern) => pattern.startsWith("~/"));
  const absolute = patterns.filter((pattern) => pattern.startsWith("/"));
  const others = patterns
    .filter((pattern) => !/^[~/]/.test(pattern) && /[/*]/.test(pattern))
    .map((pattern) => ({ pattern, wanted: pattern.split("/") }));

  return (path, home) => {
    const steps = path.split("/");
    return (
      steps.find((step) => names.has(step)) ??
      // Some file systems are case-insensitive (`.GIT`).
      steps.find((step) => step.startsWith(".") && names.has(step.toLowerCase())) ??
      // `.gi?/config`: the shell replaces the wildcards.
      steps.flatMap((step) => (isTelling(step) ? [...names].filter((name) => matchesWhole(step, name)) : []))[0] ??
      inHome.find((pattern) => isInside(path, `${home}/${pattern.slice(2)}`)) ??
      absolute.find((pattern) => isInside(path, pattern)) ??
      others.find(({ wanted }) => hasSequence(steps, wanted))?.pattern ??
      null
    );
  };
}

/** Whether a part of a path has wildcards, and more than a dot to go by. */
function isTelling(step: string): boolean {
  return hasGlob(step) && /^\.[^\uE000-\uE002]/.test(step);
}

function hasSequence(steps: readonly string[], wanted: readonly string[]): boolean {
  return steps.some((_, at) => wanted.every((name, offset) => matchesName(name, steps[at + offset])));
}

function matchesName(pattern: string, name: string | undefined): boolean {
  if (name === undefined || !pattern.includes("*")) return pattern === name;
  const [head = "", ...rest] = pattern.split("*");
  const tail = rest.at(-1) ?? "";
  return name.length >= head.length + tail.length && name.startsWith(head) && name.endsWith(tail);
}
