import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";

/** Makes a tree of folders that is deeper than a path can be long. Only the system's own `rm` is sure to remove it. */
export function makeDeepTree(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const script = `part=$(printf 'deep/%.0s' {1..700}); for count in 1 2 3; do mkdir -p $part && cd $part || break; done`;
  spawnSync("bash", ["-c", script], { cwd: folder });
}
