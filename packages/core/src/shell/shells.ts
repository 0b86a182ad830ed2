import { accessSync, constants, statSync } from "node:fs";
import { basename, delimiter, isAbsolute, join } from "node:path";
import { CoreError } from "../errors.ts";
import { startBash } from "./bash.ts";

/** The shells that we hook into. Any other is started as it is and watched through the kernel. */
export type ShellKind = "bash" | "zsh" | "fish" | "sh" | "other";

export interface HookOptions {
  shellPath: string;
  nonce: string;
  /** Where this terminal's generated files lie. Only its owner can read them. */
  rcDir: string;
  isLogin: boolean;
  /** An agent's shell: what was judged must be what runs. */
  isAgents: boolean;
  /** Null leaves the person's own history file. */
  historyFile: string | null;
  /** What the terminal's environment holds before the hooks add to it. */
  env: Record<string, string>;
}

export interface ShellStart {
  argv: [string, ...string[]];
  /** Added to the terminal's environment. */
  env: Record<string, string>;
  /** Written into `rcDir` before the start, by relative path. */
  files: Record<string, string>;
}

export function shellKindOf(shellPath: string): ShellKind {
  switch (basename(shellPath)) {
    case "bash":
      return "bash";
    case "zsh":
      return "zsh";
    case "fish":
      return "fish";
    case "sh":
    case "dash":
    case "ash":
      return "sh";
    default:
      return "other";
  }
}

export function startShell(kind: ShellKind, options: HookOptions): ShellStart {
  switch (kind) {
    case "bash":
      return startBash(options);
    default:
      return { argv: [options.shellPath], env: {}, files: {} };
  }
}

export function defaultShell(platform: NodeJS.Platform): string {
  return platform === "win32" ? "powershell.exe" : "/bin/bash";
}

/** The absolute path of a program, as `execvp` would find it. */
export function findProgram(name: string, path: string): string | null {
  if (name.includes("/")) return isAbsolute(name) && isExecutable(name) ? name : null;
  for (const folder of path.split(delimiter)) {
    const candidate = join(folder, name);
    if (isAbsolute(folder) && isExecutable(candidate)) return candidate;
  }
  return null;
}

export function findShell(name: string, path: string): string {
  const found = findProgram(name, path);
  if (found) return found;
  throw new CoreError(
    "shell-not-found",
    `No shell "${name}" that can be executed. Name one that is installed, such as /bin/bash.`,
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // It is not there, or not for us: both mean no.
  }
}
