import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Wall } from "../wall.ts";

/** The path of the file behind a wall, in a folder that is private there. */
const PATH_INSIDE = "/run/belay/git-ignore";

export interface GitIgnore {
  /** What has to be mounted read-only, and where. */
  mount: { source: string; destination: string } | null;
  /** Variables that make git read it. */
  env: Record<string, string>;
}

const NOTHING: GitIgnore = { mount: null, env: {} };

/**
 * Keeps git behind a wall from listing placeholders as new files: an agent that adds all changes would commit them.
 *
 * Only empty names are ignored, so a protected file that has content can be added as usual. If the program has git
 * settings in its variables already, they are kept instead.
 */
export function ignorePlaceholders(
  stubs: readonly string[],
  { wall, env }: { wall: Wall; env: Readonly<Record<string, string>> },
): GitIgnore {
  const [workspace = ""] = wall.writable;
  const names = stubs.filter(isEmptyFile).map((path) => relative(workspace, path));
  if (names.length === 0 || env.GIT_CONFIG_COUNT !== undefined) return NOTHING;
  const text = names.map((name) => `/${name.replaceAll(/[\\*?[]/g, "\\$&")}\n`).join("");
  // Beside the homes of agents, where no agent can change it.
  const folder = join(dirname(wall.home), "git-ignore");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // One file for each list of names: terminals that are open may use another one.
  const source = join(folder, createHash("sha256").update(text).digest("hex").slice(0, 16));
  writeFileSync(source, text, { mode: 0o644 });
  return {
    mount: { source, destination: PATH_INSIDE },
    env: { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "core.excludesFile", GIT_CONFIG_VALUE_0: PATH_INSIDE },
  };
}

/** Whether it is, or will become, an empty file. Folders end with a slash; git does not list empty ones. */
function isEmptyFile(path: string): boolean {
  if (path.endsWith("/")) return false;
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found === undefined || (found.isFile() && found.size === 0);
}
