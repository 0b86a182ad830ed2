import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { NamedFile } from "@belay/protocol";
import type { NamingCommand } from "../pool/requests.ts";
import { impliedFiles, isInterpreter, isScriptName } from "./script-programs.ts";
import { expandWildcards } from "./wildcards.ts";
import { wordsOf } from "./words.ts";

/** Limits that keep the search fast. A file too large to hash is bound by its size and times instead. */
const MAX_FILES = 100;
const MAX_HASHED_BYTES = 64 * 1024 * 1024;
/** How far a script is followed into the scripts that it names. */
const MAX_DEPTH = 3;
const MAX_PROBES = 1000;
const MAX_SCANNED_BYTES = 256 * 1024;
const MAX_FOLDERS = 8;
/** What a module name without an extension may refer to. */
const ENDINGS = ["", ".js", ".mjs", ".cjs", ".ts", ".py", ".sh", ".rb", ".mk"];
/** System programs, which an agent cannot change, and shims, which version managers rewrite all the time. */
const SYSTEM = /^\/(usr|bin|sbin|lib|lib64|opt|nix|snap|System|Library)\/|\/shims\//;

const READ_WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;

/** Installed and built code is not searched for further names, and bound only if it is named directly. */
const NOT_FOLLOWED = /^\/(usr|bin|sbin|lib|lib64|opt|nix|snap|System|Library)\/|\/(node_modules|dist|\.venv|vendor)\//;

type Command = NamingCommand & { path: string };

/**
 * The files that a command names and whose content affects what it does: scripts, arguments of interpreters, build
 * files that a program reads by itself, and files that those name in turn. A person approves the content of these files
 * together with the text. They are found by words, without running anything, so a name that is computed while the
 * command runs is not found.
 */
export async function findNamedFiles(command: Command): Promise<NamedFile[]> {
  const search = new Search(command);
  await search.lookAtCommand();
  return search.files();
}

class Search {
  readonly #command: Command;
  readonly #found = new Map<string, { isCode: boolean }>();
  readonly #folders: string[];
  /** What was looked up already: the parts of a command repeat each other's words. */
  readonly #lookedUp = new Set<string>();
  #probes = 0;

  constructor(command: Command) {
    this.#command = command;
    this.#folders = [command.cwd];
  }

  async lookAtCommand(): Promise<void> {
    const { text, runs, argv, cwd } = this.#command;
    const parts = [...runs.map(wordsOf), wordsOf(text), ...(argv ? [[...argv]] : [])];
    // `cd build && sh x.sh`, `make -C build`: the named file may be in that folder.
    await this.#addFolders([...new Set(parts.flat())].map((word) => resolve(cwd, word)));
    for (const words of parts) {
      const [program = ""] = words;
      const isInterpreted = words.some(isInterpreter);
      if (!program.includes("/") && this.#isNew(`program ${program}`)) await this.#addProgram(program);
      const kind = isInterpreted ? "code" : "by-name";
      for (const word of new Set(words)) if (this.#isNew(`${kind} ${word}`)) await this.#addNamed(word, kind, 0);
      for (const folder of this.#folders)
        for (const name of await impliedFiles(words, { folder, isNamed: folder !== cwd }))
          await this.#add(join(folder, name), true, 0);
    }
  }

  async files(): Promise<NamedFile[]> {
    const named: NamedFile[] = [];
    let hashedBytes = 0;
    for (const [path, { isCode }] of [...this.#found].sort(([one], [other]) => (one < other ? -1 : 1))) {
      const file = await describe(path, isCode, MAX_HASHED_BYTES - hashedBytes);
      if (!file) continue;
      hashedBytes += file.bytes;
      named.push(file);
    }
    return named;
  }

  /** Adds the file named by a word, or by the part of it after `=`, `@` or an option letter. */
  async #addNamed(word: string, kind: "code" | "by-name", depth: number): Promise<void> {
    const behind = [/^-{1,2}[\w-]+=(.+)$/, /^@(.+)$/, /^-[A-Za-z](.+)$/, /^file:\/\/(\/.+)$/, /^\w+=(.+)$/];
    for (const name of [word, ...behind.flatMap((form) => form.exec(word)?.[1] ?? [])]) {
      if (name === "" || name.length > 1024) continue;
      for (const folder of this.#folders) {
        for (const path of [resolve(folder, name), ...(await expandWildcards(name, folder))])
          await this.#add(path, kind === "code" || isScriptName(path), depth);
      }
    }
  }

  async #addProgram(name: string): Promise<void> {
    if (name === "" || name.includes("=")) return;
    const folders = this.#command.path.split(":").filter((folder) => folder !== "");
    // All at once: one after the other they take longer than everything else here together.
    const paths = await Promise.all(
      folders.map(async (folder) => ((await isFile(join(folder, name))) ? join(folder, name) : null)),
    );
    const path = paths.find((found) => found !== null) ?? null;
    if (path === null) return;
    // An agent cannot change the system's programs; any other program is bound.
    if (path.startsWith(`${this.#command.cwd}/`)) return this.#add(path, true, 0);
    if (!SYSTEM.test(path)) this.#found.set(await realpath(path), { isCode: false });
  }

  async #add(path: string, isCode: boolean, depth: number): Promise<void> {
    if (this.#found.size >= MAX_FILES) return;
    const real = await realpath(path).catch(() => null);
    if (real === null || !(await isFile(real))) return;
    const known = this.#found.get(real);
    if (known) {
      known.isCode ||= isCode;
      return;
    }
    const isScript = isCode || (await hasInterpreterLine(real));
    this.#found.set(real, { isCode: isScript });
    if (isScript && depth < MAX_DEPTH && !NOT_FOLLOWED.test(real)) await this.#follow(real, depth + 1);
  }

  /** Files that a script names: other scripts beside it or in its working folder. */
  async #follow(path: string, depth: number): Promise<void> {
    const text = await readStart(path);
    if (text === null) return;
    for (const name of namesIn(text, { isPython: path.endsWith(".py") }))
      for (const folder of new Set([dirname(path), this.#command.cwd])) {
        if (this.#probes >= MAX_PROBES) return;
        this.#probes += 1;
        const file = resolve(folder, name);
        if (file !== path && (isScriptName(file) || (await hasInterpreterLine(file))))
          await this.#add(file, true, depth);
      }
  }

  async #addFolders(paths: readonly string[]): Promise<void> {
    const found = await Promise.all(paths.map((path) => stat(path).catch(() => null)));
    for (const [at, path] of paths.entries()) {
      if (this.#folders.length >= MAX_FOLDERS) return;
      if (found[at]?.isDirectory() && !this.#folders.includes(path)) this.#folders.push(path);
    }
  }

  #isNew(what: string): boolean {
    if (this.#lookedUp.has(what)) return false;
    this.#lookedUp.add(what);
    return true;
  }
}

/** The current content of a file, and whether it is unchanged; null if it cannot be read. */
export async function readNamedFile(
  { path, sha256 }: NamedFile,
  maxBytes: number,
): Promise<{ text: string; isWhole: boolean; hasChanged: boolean } | null> {
  const handle = (await isFile(path)) ? await openFile(path) : null;
  if (!handle) return null;
  try {
    const { size } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(size, maxBytes)), 0);
    const now = await describe(path, false, MAX_HASHED_BYTES);
    return {
      text: buffer.subarray(0, bytesRead).toString("utf8"),
      isWhole: bytesRead === size,
      hasChanged: now?.sha256 !== sha256,
    };
  } finally {
    await handle.close();
  }
}

/** Words in a script that may be other scripts: names with a script extension, relative paths, Python imports. */
function namesIn(text: string, { isPython }: { isPython: boolean }): Set<string> {
  const names = new Set<string>();
  for (const [name] of text.matchAll(/[\w@.+/-]{2,200}/g)) {
    if (isScriptName(name)) names.add(name);
    else if (/^\.{1,2}\//.test(name)) for (const ending of ENDINGS) names.add(name + ending);
    else if (name.includes("/") && !name.endsWith("/"))
      for (const ending of ["", ".js", ".py"]) names.add(name + ending);
  }
  if (isPython)
    for (const [, module = ""] of text.matchAll(/^\s*(?:from|import)\s+([\w.]+)/gm))
      names.add(`${module.replaceAll(".", "/")}.py`);
  return names;
}

async function describe(path: string, isCode: boolean, maxBytes: number): Promise<NamedFile | null> {
  try {
    const { size, mtimeMs, ctimeMs, ino } = await stat(path);
    const hash = createHash("sha256");
    // Too large to hash each time: any change alters these values, and the change time cannot be forged.
    if (size > maxBytes) hash.update(`${size} ${mtimeMs} ${ctimeMs} ${ino}`);
    else
      for await (const chunk of (await open(path, READ_WITHOUT_WAITING)).createReadStream())
        hash.update(chunk as Buffer);
    return { path, sha256: hash.digest("hex"), bytes: size, isCode };
  } catch {
    // Gone, or not readable: then the command cannot read it either, or it counts as changed.
    return { path, sha256: "unreadable", bytes: 0, isCode };
  }
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function hasInterpreterLine(path: string): Promise<boolean> {
  const handle = (await isFile(path)) ? await openFile(path) : null;
  if (!handle) return false;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer.toString("latin1") === "#!";
  } finally {
    await handle.close();
  }
}

/** Non-blocking, because a pipe in place of the file may have no writer. */
function openFile(path: string): Promise<FileHandle | null> {
  return open(path, READ_WITHOUT_WAITING).catch(() => null);
}

async function readStart(path: string): Promise<string | null> {
  const handle = await openFile(path);
  if (!handle) return null;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_SCANNED_BYTES), 0, MAX_SCANNED_BYTES, 0);
    const text = buffer.subarray(0, bytesRead).toString("latin1");
    return text.includes("\0") ? null : text;
  } finally {
    await handle.close();
  }
}
