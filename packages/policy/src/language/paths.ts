import { HOLE } from "./values.ts";

/** An absolute path without `.`, `..` and doubled slashes; null where the start is not known. */
export function resolvePath(path: string, cwd: string | null): string | null {
  if (path.startsWith(HOLE)) return null;
  if (!path.startsWith("/") && cwd === null) return null;
  const steps: string[] = [];
  const whole = path.startsWith("/") ? path : `${cwd}/${path}`;
  for (const step of whole.split("/")) {
    if (step === "" || step === ".") continue;
    if (step === "..") steps.pop();
    else steps.push(step);
  }
  return `/${steps.join("/")}`;
}

export function baseName(path: string): string {
  const trimmed = path.length > 1 ? path.replace(/\/+$/, "") : path;
  return trimmed.slice(trimmed.lastIndexOf("/") + 1);
}

export function isInside(path: string, directory: string): boolean {
  if (directory === "/") return true;
  return path === directory || path.startsWith(`${directory}/`);
}
