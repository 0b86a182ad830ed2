import { DEFAULT_PROTECTED_PATHS, MANIFESTS } from "../defaults/default-paths.ts";

/** Protected paths that ordinary work writes. A wall leaves them writable, and a command that names them still asks. */
const WRITTEN_BY_WORK = new Set([
  ...MANIFESTS,
  ".git",
  "node_modules",
  ".yarn",
  ".pnp.cjs",
  ".venv",
  "venv",
  "site-packages",
  ".cargo",
  ".gitattributes",
  ".gitmodules",
  "CLAUDE.md",
  "AGENTS.md",
]);

/** Files that programs outside the wall read and run automatically. An agent must not create them. */
const RUNS_OUTSIDE = [
  ".env",
  ".envrc",
  ".mcp.json",
  ".vscode/",
  ".idea/",
  ".claude/",
  ".cursor/",
  ".husky/",
  ".devcontainer/",
];

export interface FrozenPaths {
  /** Read-only if they exist; `*` matches any part of a name. */
  readonly frozen: readonly string[];
  /** Read-only even if they do not exist yet. A name that ends in a slash is a folder. */
  readonly reserved: readonly string[];
}

/** The protected paths that a wall protects in the workspace, relative to it. */
export function frozenBehindWall(protectedPaths: readonly string[]): FrozenPaths {
  const relative = protectedPaths.filter((path) => !/^[~/]/.test(path)).map((path) => path.replace(/^\*\*\//, ""));
  const frozen = relative.filter((path) => !WRITTEN_BY_WORK.has(path));
  const isDefault = new Set(DEFAULT_PROTECTED_PATHS);
  const own = frozen.filter((path) => !path.includes("*") && !isDefault.has(path));
  const known = RUNS_OUTSIDE.filter((path) => frozen.includes(path.replace(/\/$/, "")));
  // Git runs what is in there, also for the people who use the workspace.
  const hooks = relative.includes(".git") ? [".git/hooks/"] : [];
  return { frozen, reserved: [...known, ...hooks, ...own] };
}
