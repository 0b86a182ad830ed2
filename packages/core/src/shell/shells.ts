import { accessSync, constants, statSync } from "node:fs";
import { basename, delimiter, isAbsolute, join } from "node:path";
import { CoreError } from "../errors.ts";
import type { HookOptions, ShellKind, ShellStart } from "./hooks.ts";
import { startBash } from "./kinds/bash.ts";
import { startFish } from "./kinds/fish.ts";
import { envFileOf, startSh } from "./kinds/sh.ts";
import { startZsh } from "./kinds/zsh.ts";

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

const ENV_FILE = "env.sh";

export function startShell(kind: ShellKind, options: HookOptions): ShellStart {
  const start = startOf(kind, options);
  return {
    argv: start.argv,
    env: { ...start.env, ENV: `${options.rcDir}/${ENV_FILE}` },
    files: { ...start.files, [ENV_FILE]: envFileOf(options) },
  };
}

function startOf(kind: ShellKind, options: HookOptions): ShellStart {
  switch (kind) {
    case "bash":
      return startBash(options);
    case "zsh":
      return startZsh(options);
    case "fish":
      return startFish(options);
    case "sh":
      return startSh(options);
    case "other":
      return { argv: [options.shellPath], env: {}, files: {} };
  }
}

export function defaultShell(platform: NodeJS.Platform): string {
  return platform === "win32" ? "powershell.exe" : "/bin/bash";
}

/** The path of this machine's default shell. */
export function defaultShellPath(path: string): string {
  return findShell(defaultShell(process.platform), path);
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
    return false; // It does not exist, or is not accessible.
  }
}
