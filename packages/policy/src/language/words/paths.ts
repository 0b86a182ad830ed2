import { HOLE } from "../state/values.ts";

/** An absolute path without `.`, `..` and doubled slashes; null if its start is unknown. */
export function resolvePath(path: string, cwd: string | null): string | null {
  if (path.startsWith(HOLE)) return null;
  if (!path.startsWith("/") && cwd === null) return null;
  // Most words are plain names.
  if (cwd !== null && path !== "" && !path.includes("/") && path !== "." && path !== ".." && !cwd.startsWith("/proc"))
    return cwd === "/" ? `/${path}` : `${cwd}/${path}`;
  const steps: string[] = [];
  const whole = path.startsWith("/") ? path : `${cwd}/${path}`;
  for (const step of whole.split("/")) {
    if (step === "" || step === ".") continue;
    if (step === "..") steps.pop();
    else steps.push(step);
    if (steps[0] === "proc" && steps.length > 2) leaveProcess(steps, cwd);
  }
  return `/${steps.join("/")}`;
}

/** `/proc/self/root` is `/`, and `/proc/self/cwd` is the shell's folder. */
function leaveProcess(steps: string[], cwd: string | null): void {
  const last = steps.at(-1);
  const isInProcess = steps.length === 3 || (steps.length === 5 && steps[2] === "task");
  if (!isInProcess || (last !== "root" && last !== "cwd")) return;
  steps.length = 0;
  if (last === "cwd" && cwd !== null) steps.push(...cwd.split("/").filter((step) => step !== ""));
}

/** By hand: a regular expression would try the end of every run of slashes, again from each of them. */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path.charAt(end - 1) === "/") end -= 1;
  return path.slice(0, end);
}

export function baseName(path: string): string {
  const trimmed = path.length > 1 ? withoutTrailingSlashes(path) : path;
  return trimmed.slice(trimmed.lastIndexOf("/") + 1);
}

export function isInside(path: string, directory: string): boolean {
  if (directory === "/") return true;
  return path === directory || path.startsWith(`${directory}/`);
}
