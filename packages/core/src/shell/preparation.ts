import type { ShellKind } from "./hooks.ts";
import { quote, quoteForFish } from "./quote.ts";

export interface PreparedEnv {
  /** A script that the shell reads. The values may be secrets, so they are never typed. */
  script: string;
  names: string[];
}

/** Puts back what the last command's environment changed, then sets what the next one wants. */
export function prepareEnv(kind: ShellKind, previousNames: string[], env: Record<string, string>): PreparedEnv {
  for (const name of Object.keys(env)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw new Error(`"${name}" is no name of a variable.`);
  }
  const { set, restore } = kind === "fish" ? FISH : POSIX;
  const lines = [...previousNames.map(restore), ...Object.entries(env).map(([name, value]) => set(name, value))];
  return { script: lines.join("\n"), names: Object.keys(env) };
}

export function changeFolderLine(kind: ShellKind, cwd: string): string {
  return `cd ${kind === "fish" ? quoteForFish(cwd) : quotePath(cwd)}`;
}

/** As a person would type it: in quotes only where it needs them. */
function quotePath(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : quote(path);
}

interface EnvWords {
  set: (name: string, value: string) => string;
  restore: (name: string) => string;
}

const POSIX: EnvWords = {
  set: (name, value) =>
    `if [ "\${${name}+x}" ]; then __belay_saved_${name}=$${name}; fi; export ${name}=${quote(value)}`,
  restore: (name) =>
    `if [ "\${__belay_saved_${name}+x}" ]; then export ${name}="$__belay_saved_${name}"; unset __belay_saved_${name}; else unset ${name}; fi`,
};

const FISH: EnvWords = {
  set: (name, value) =>
    `if set -q ${name}; set -g __belay_saved_${name} $${name}; end; set -gx ${name} ${quoteForFish(value)}`,
  restore: (name) =>
    `if set -q __belay_saved_${name}; set -gx ${name} $__belay_saved_${name}; set -e __belay_saved_${name}; else; set -e ${name}; end`,
};
