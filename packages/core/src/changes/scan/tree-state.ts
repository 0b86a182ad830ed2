import { type Change, type Entry, joinPath, nameOf, parentOf } from "../entry.ts";

/** The last known state of every tracked path of a workspace, by folder. */
export class TreeState {
  readonly #folders = new Map<string, Map<string, Entry>>([["", new Map()]]);
  /** Files with several hard links: they are checked every time. */
  readonly shared = new Set<string>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  children(folder: string): ReadonlyMap<string, Entry> | undefined {
    return this.#folders.get(folder);
  }

  get(path: string): Entry | null {
    return this.#folders.get(parentOf(path))?.get(nameOf(path)) ?? null;
  }

  set(path: string, entry: Entry): void {
    const folder = parentOf(path);
    let names = this.#folders.get(folder);
    if (!names) {
      names = new Map();
      this.#folders.set(folder, names);
    }
    const name = nameOf(path);
    if (!names.has(name)) this.#size += 1;
    names.set(name, entry);
    if (entry.type === "folder" && !this.#folders.has(path)) this.#folders.set(path, new Map());
    if (entry.type === "file" && entry.isShared) this.shared.add(path);
    else this.shared.delete(path);
  }

  /** Removes a path, and everything below it. */
  remove(path: string): void {
    if (this.#folders.get(parentOf(path))?.delete(nameOf(path))) this.#size -= 1;
    this.shared.delete(path);
    const below = this.#folders.get(path);
    if (!below) return;
    for (const name of [...below.keys()]) this.remove(joinPath(path, name));
    this.#folders.delete(path);
  }

  /** Everything below a folder, parents first. */
  *below(folder: string): Generator<[string, Entry]> {
    for (const [name, entry] of this.#folders.get(folder) ?? []) {
      const path = joinPath(folder, name);
      yield [path, entry];
      if (entry.type === "folder") yield* this.below(path);
    }
  }

  folders(): IterableIterator<string> {
    return this.#folders.keys();
  }

  apply(changes: readonly Change[]): void {
    for (const { path, after } of changes) if (after === null) this.remove(path);
    for (const { path, after } of changes) if (after !== null) this.set(path, after);
  }
}
