import { isInside } from "../shell/paths.ts";

/** Whether an absolute path falls under one of the patterns of `protectedPaths`. */
export function matchesPath(patterns: readonly string[], path: string, home: string): string | null {
  return patterns.find((pattern) => matchesOne(pattern, path, home)) ?? null;
}

function matchesOne(pattern: string, path: string, home: string): boolean {
  if (pattern.startsWith("~/")) return isInside(path, `${home}/${pattern.slice(2)}`);
  if (pattern.startsWith("/")) return isInside(path, pattern);
  const wanted = pattern.split("/");
  const steps = path.split("/").filter((step) => step !== "");
  for (let at = 0; at + wanted.length <= steps.length; at += 1) {
    if (wanted.every((name, offset) => matchesName(name, steps[at + offset] ?? ""))) return true;
  }
  return false;
}

function matchesName(pattern: string, name: string): boolean {
  if (!pattern.includes("*")) return pattern === name;
  const [head = "", ...rest] = pattern.split("*");
  const tail = rest.at(-1) ?? "";
  return name.length >= head.length + tail.length && name.startsWith(head) && name.endsWith(tail);
}
