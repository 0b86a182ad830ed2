import ignore, { type Ignore } from "ignore";
import { joinPath } from "../entry.ts";
import type { FolderHandle } from "./folder-handle.ts";
import { readRegularFile } from "./read-regular-file.ts";

/** Folders of downloaded or generated code, ignored even if no `.gitignore` names them. */
const ALWAYS_LEFT_OUT = ["node_modules/", ".venv/", "__pycache__/"];
export const IGNORE_FILE = ".gitignore";
/** A person's own rules for one clone; in the outermost folder only. */
export const GIT_EXCLUDES = ".git/info/exclude";
/** Larger files are not read as ignore rules. */
const MAX_RULES_BYTES = 1_000_000;

/** `.gitignore` patterns: ignored files that are tracked anyway, and files that are never tracked. */
export interface OwnPatterns {
  include: readonly string[];
  exclude: readonly string[];
}

/**
 * Which files the history leaves out: those that the project's `.gitignore` files ignore, unless a pattern of
 * `undo.include` matches. Applies git's own rules to byte strings, so that any name can be matched.
 */
export class IgnoreRules {
  readonly #own: OwnPatterns;
  readonly #always = matcher().add(ALWAYS_LEFT_OUT);
  readonly #include: Ignore;
  /** For each pattern of `include`, matchers for the names of the folders above it. */
  readonly #parents: Ignore[][];
  readonly #exclude: Ignore;
  /** By folder; only folders with rules. */
  readonly #byFolder: Map<string, { text: string; rules: Ignore }>;

  constructor(own: OwnPatterns, byFolder = new Map<string, { text: string; rules: Ignore }>()) {
    this.#own = own;
    this.#include = matcher().add(own.include.map(toBytes));
    this.#parents = own.include.map((pattern) => parentsOf(toBytes(pattern)));
    this.#exclude = matcher().add(own.exclude.map(toBytes));
    this.#byFolder = byFolder;
  }

  /** A copy of the current rules. */
  copy(): IgnoreRules {
    return new IgnoreRules(this.#own, new Map(this.#byFolder));
  }

  /** Reads the rules of a folder again; returns whether they changed. `onChange` is called before they are replaced. */
  read(folder: string, handle: FolderHandle, onChange: () => void): boolean {
    const own = readRules(handle.at(IGNORE_FILE));
    const text = joinRules(folder === "" ? [readRules(handle.at(GIT_EXCLUDES)), own] : [own]);
    if (text === (this.#byFolder.get(folder)?.text ?? "")) return false;
    onChange();
    this.#set(folder, text);
    return true;
  }

  /** Sets the rules that a folder had earlier, from the contents of its rule files, lowest precedence first. */
  recall(folder: string, files: readonly string[]): void {
    this.#set(folder, joinRules(files));
  }

  #set(folder: string, text: string): void {
    if (text === "") this.#byFolder.delete(folder);
    else this.#byFolder.set(folder, { text, rules: matcher().add(text) });
  }

  forgetBelow(folder: string): void {
    for (const known of this.#byFolder.keys()) {
      if (known === folder || known.startsWith(`${folder}/`)) this.#byFolder.delete(known);
    }
  }

  /** Whether a name in a tracked folder is ignored. */
  leavesOut(folder: string, name: string, isFolder: boolean): boolean {
    if (this.excludes(folder, name, isFolder)) return true;
    const path = joinPath(folder, name);
    const test = isFolder ? `${path}/` : path;
    if (this.#include.ignores(test)) return false;
    if (isFolder && this.#leadsToIncluded(path)) return false;
    return this.#isIgnored(folder, test);
  }

  /** Whether a name is never tracked, even if it was before. */
  excludes(folder: string, name: string, isFolder: boolean): boolean {
    if (name === ".git") return true;
    const path = joinPath(folder, name);
    return this.#exclude.ignores(isFolder ? `${path}/` : path);
  }

  /** Whether an ignored folder may contain an included path, so that it has to be entered. */
  #leadsToIncluded(path: string): boolean {
    const names = path.split("/");
    return this.#parents.some(
      (parents) => names.length <= parents.length && names.every((name, at) => parents[at]?.ignores(name)),
    );
  }

  /** The innermost folder with a matching rule decides. */
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

/** The names of the folders above a pattern: `a` and `b` for `a/b/c.txt`. */
function parentsOf(pattern: string): Ignore[] {
  const names = pattern.replace(/^\//, "").replace(/\/$/, "").split("/").slice(0, -1);
  // A path below `**` can be anywhere, and there are too many ignored folders to enter them all.
  const anywhere = names.indexOf("**");
  return (anywhere < 0 ? names : names.slice(0, anywhere)).map((name) => matcher().add(name));
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

function joinRules(files: readonly string[]): string {
  return files.join("\n").trim();
}

export function readRules(path: Buffer): string {
  const read = readRegularFile(path, MAX_RULES_BYTES);
  return read.type === "content" ? read.bytes.toString("latin1") : "";
}
