import ignore, { type Ignore } from "ignore";
import { joinPath } from "../entry.ts";
import type { FolderHandle } from "./folder-handle.ts";
import { readRegularFile } from "./read-regular-file.ts";

/** Folders of downloaded or generated code, left out also where no `.gitignore` names them. */
const ALWAYS_LEFT_OUT = ["node_modules/", ".venv/", "__pycache__/"];
export const IGNORE_FILE = ".gitignore";
/** A file of rules longer than this is none. */
const MAX_RULES_BYTES = 1_000_000;

/** Patterns as in a `.gitignore`, for what is followed although it is ignored, and for what is never followed. */
export interface OwnPatterns {
  include: readonly string[];
  exclude: readonly string[];
}

/**
 * Which files the history leaves out: what the project's `.gitignore` files say, and the patterns of
 * `undo.include` that take some of it back in. Git's own rules, on byte strings, so that any name can be matched.
 */
export class IgnoreRules {
  readonly #own: OwnPatterns;
  readonly #always = matcher().add(ALWAYS_LEFT_OUT);
  readonly #include: Ignore;
  readonly #exclude: Ignore;
  /** By folder; only those that have a file of rules. */
  readonly #byFolder: Map<string, { text: string; rules: Ignore }>;

  constructor(own: OwnPatterns, byFolder = new Map<string, { text: string; rules: Ignore }>()) {
    this.#own = own;
    this.#include = matcher().add(own.include.map(toBytes));
    this.#exclude = matcher().add(own.exclude.map(toBytes));
    this.#byFolder = byFolder;
  }

  /** The rules as they are at this moment. */
  copy(): IgnoreRules {
    return new IgnoreRules(this.#own, new Map(this.#byFolder));
  }

  /** Reads the rules of a folder anew; says whether they have changed. `onChange` hears before they do. */
  read(folder: string, handle: FolderHandle, onChange: () => void): boolean {
    const own = readRules(handle.at(IGNORE_FILE));
    const text = (folder === "" ? `${readRules(handle.at(".git/info/exclude"))}\n${own}` : own).trim();
    if (text === (this.#byFolder.get(folder)?.text ?? "")) return false;
    onChange();
    if (text === "") this.#byFolder.delete(folder);
    else this.#byFolder.set(folder, { text, rules: matcher().add(text) });
    return true;
  }

  forgetBelow(folder: string): void {
    for (const known of this.#byFolder.keys()) {
      if (known === folder || known.startsWith(`${folder}/`)) this.#byFolder.delete(known);
    }
  }

  /** Whether a name in a followed folder is left out. */
  leavesOut(folder: string, name: string, isFolder: boolean): boolean {
    if (this.excludes(folder, name, isFolder)) return true;
    const path = joinPath(folder, name);
    const test = isFolder ? `${path}/` : path;
    if (this.#include.ignores(test)) return false;
    // A folder on the way to something that is included.
    if (isFolder && this.#own.include.some((pattern) => toBytes(pattern).replace(/^\//, "").startsWith(test)))
      return false;
    return this.#isIgnored(folder, test);
  }

  /** Whether it is never kept, even where it was before. */
  excludes(folder: string, name: string, isFolder: boolean): boolean {
    if (name === ".git") return true;
    const path = joinPath(folder, name);
    return this.#exclude.ignores(isFolder ? `${path}/` : path);
  }

  /** The innermost file of rules that has something to say decides. */
  #isIgnored(folder: string, path: string): boolean {
    for (let at: string | null = folder; at !== null; at = outer(at)) {
      const rules = this.#byFolder.get(at)?.rules;
      if (!rules) continue;
      const { ignored, unignored } = rules.test(at === "" ? path : path.slice(at.length + 1));
      if (ignored || unignored) return ignored;
    }
    return this.#always.ignores(path);
  }
}

function toBytes(pattern: string): string {
  return Buffer.from(pattern, "utf8").toString("latin1");
}

function matcher(): Ignore {
  return ignore({ ignorecase: false, allowRelativePaths: true });
}

function outer(folder: string): string | null {
  if (folder === "") return null;
  const slash = folder.lastIndexOf("/");
  return slash < 0 ? "" : folder.slice(0, slash);
}

function readRules(path: Buffer): string {
  const read = readRegularFile(path, MAX_RULES_BYTES);
  return read.type === "content" ? read.bytes.toString("latin1") : "";
}
