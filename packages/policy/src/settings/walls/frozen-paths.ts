import { DEFAULT_PROTECTED_PATHS, MANIFESTS } from "../defaults/default-paths.ts";

/** Ordinary work writes these: a wall leaves them writable, and a command that names them still asks. */
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

/** What programs outside the wall read and run automatically, so an agent must not create it. */
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

/** Which protected paths a wall protects in the workspace, relative to it. */
export function frozenBehindWall(protectedPaths: readonly string[]): FrozenPaths {
  const relative = protectedPaths.filter((path) => !/^[~/]/.test(path)).map((path) => path.replace(/^\*\*\//, ""));
  const frozen = relative.filter((path) => !WRITTEN_BY_WORK.has(path));
  const isDefault = new Set(DEFAULT_PROTECTED_PATHS);
  const own = frozen.filter((path) => !path.includes("*") && !isDefault.has(path));
  const known = RUNS_OUTSIDE.filter((path) => frozen.includes(path.replace(/\/$/, "")));
  // Git runs what is there, even for the person.
  const hooks = relative.includes(".git") ? [".git/hooks/"] : [];
  return { frozen, reserved: [...known, ...hooks, ...own] };
}
