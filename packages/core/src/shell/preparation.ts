import type { ShellKind } from "./hooks.ts";
import { quote, quoteForFish } from "./quote.ts";

/** A variable's value before a command replaced it: its parts (in fish it is a list), or null if it was not set. */
export type SavedEnv = Map<string, string[] | null>;

export interface Preparation {
  /** The next command's folder; null keeps the shell's. */
  cwd: string | null;
  /** Values saved by an earlier preparation, to be restored. */
  restore: SavedEnv;
  env: Record<string, string>;
  /** A file into which the shell writes old values, for `parseSaved`. */
  savedFile: string;
}

/**
 * A script that prepares a shell for the next command.
 *
 * The values may be secrets, so they are never typed. Values are restored from our own memory
 * and not from shell variables, which the agent could have changed meanwhile. The same goes for
 * builtins: the agent may have defined functions with their names.
 */
export function preparationScript(kind: ShellKind, { cwd, restore, env, savedFile }: Preparation): string {
  for (const name of Object.keys(env)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw new Error(`"${name}" is not a valid variable name.`);
  }
  const names = Object.keys(env);
  const words = WORDS[kind === "fish" ? "fish" : kind === "bash" || kind === "zsh" ? "builtin" : "posix"];
  const lines = [
    ...(cwd === null ? [] : [words.changeFolder(cwd)]),
    ...[...restore].map(([name, parts]) => (parts === null ? words.unset(name) : words.set(name, parts))),
    ...(names.length === 0 ? [] : [words.save(names, savedFile)]),
    ...Object.entries(env).map(([name, value]) => words.set(name, [value])),
  ];
  const script = lines.join(" &&\n");
  return kind === "bash" ? `${BASH_TRUSTED}\n${script}` : script;
}

/** Parses what the shell wrote about these variables. */
export function parseSaved(text: string, names: string[]): SavedEnv {
  const parts = text.split("\0");
  return new Map(
    names.map((name) => {
      const count = parts.shift() ?? "";
      const values = parts.splice(0, count === "" ? 1 : Number(count));
      return [name, count === "" ? null : values];
    }),
  );
}

/** Starts the line with which bash reads the script: in POSIX mode, special builtins take precedence over functions. */
export const BASH_POSIX_MODE = "POSIXLY_CORRECT=1; \\";

/** `unset` and `return` are special builtins, `builtin` is not. After this it is the real one, or nothing is done. */
export const BASH_TRUSTED = `\\unset -f builtin || { \\unset POSIXLY_CORRECT; \\return 1; }
\\unset POSIXLY_CORRECT`;

interface Words {
  changeFolder: (cwd: string) => string;
  set: (name: string, parts: string[]) => string;
  unset: (name: string) => string;
  /** Writes for each variable its number of parts (nothing if it is not set), then the parts, or an empty one. */
  save: (names: string[], file: string) => string;
}

const WORDS: Record<"builtin" | "posix" | "fish", Words> = {
  builtin: posixWords("\\builtin "),
  posix: posixWords("\\command "),
  fish: {
    changeFolder: (cwd) => `builtin cd -- ${quoteForFish(cwd)}`,
    set: (name, parts) => `set -gx ${name} ${parts.map(quoteForFish).join(" ")}`,
    unset: (name) => `begin; set -e ${name}; or true; end`,
    save: (names, file) => {
      const each = (name: string) =>
        `if set -q ${name}; builtin printf '%s\\0' (count $${name}) $${name}; else; builtin printf '%s\\0' '' ''; end`;
      return `begin; ${names.map(each).join("; ")}; end > ${quoteForFish(file)}`;
    },
  },
};

function posixWords(call: string): Words {
  return {
    // The shell's own cd reads CDPATH, and prints the new folder.
    changeFolder: (cwd) => `CDPATH= ${call}cd -- ${quote(cwd)}`,
    set: (name, [value = ""]) => `${call}export ${name}=${quote(value)}`,
    unset: (name) => `${call}unset ${name}`,
    save: (names, file) => {
      const values = names.map((name) => `"\${${name}+1}" "\${${name}-}"`);
      return `${call}printf '%s\\0%s\\0' ${values.join(" ")} > ${quote(file)}`;
    },
  };
}
