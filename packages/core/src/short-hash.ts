import { hash } from "node:crypto";

/** Twelve letters that stand for a path, where a name has to be short: folders below `/run`, control groups, trashes. */
export function shortHash(path: string): string {
  return hash("sha256", path, "hex").slice(0, 12);
}
