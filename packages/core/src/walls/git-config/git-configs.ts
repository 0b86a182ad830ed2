import { type FSWatcher, watch } from "node:fs";
import { join } from "node:path";
import { type ConfigEntry, parseGitConfig, withoutLines } from "./entries.ts";
import { GitFolder } from "./git-folder.ts";
import { isHarmless } from "./harmless.ts";

export interface RestoredConfig {
  /** All members behind a wall in this workspace: any of them could have written it. */
  members: string[];
  file: string;
  /** The settings that were reverted; empty if the file could not be parsed. */
  keys: string[];
}

interface Watched {
  members: Set<string>;
  /** The last accepted content of each file; null if there was none. An unusual file, such as a link, is left alone. */
  accepted: Map<string, string | null>;
  /** On the workspace, where `.git` can appear, and on `.git` itself. */
  watchers: FSWatcher[];
  folderId: string | null;
  timer: NodeJS.Timeout | null;
}

const FILES = ["config", "config.worktree"];
/** A program that writes all the time must not keep this process busy. */
const PAUSE_MS = 2;

/**
 * Guards the git settings of workspaces in which programs work behind a wall.
 *
 * Git runs programs that its settings name, outside the wall and with the rights of the person who uses it next.
 * Ordinary work has to write settings (`push -u`, `remote add`), so they are not read-only: each change is checked as
 * soon as the kernel reports it, and reverted if it adds a setting that is not known to be harmless. Settings from
 * before the first program started are the person's own and stay.
 */
export class GitConfigs {
  readonly #watched = new Map<string, Watched>();
  readonly #onRestored: (restored: RestoredConfig) => void;

  constructor(onRestored: (restored: RestoredConfig) => void) {
    this.#onRestored = onRestored;
  }

  enter(workspace: string, member: string): void {
    const found = this.#watched.get(workspace);
    if (found) {
      found.members.add(member);
      return;
    }
    const watched: Watched = {
      members: new Set([member]),
      accepted: new Map(),
      watchers: [],
      folderId: null,
      timer: null,
    };
    this.#watched.set(workspace, watched);
    this.#rearm(workspace, watched);
    const folder = GitFolder.open(workspace);
    for (const file of FILES) {
      const content = folder ? folder.read(file) : null;
      if (content !== undefined) watched.accepted.set(file, content);
    }
    folder?.close();
  }

  /** When the last member leaves, after its programs have ended, the files are checked once more. */
  leave(member: string): void {
    for (const [workspace, watched] of this.#watched) {
      if (!watched.members.has(member)) continue;
      this.#check(workspace, watched);
      watched.members.delete(member);
      if (watched.members.size > 0) continue;
      this.#watched.delete(workspace);
      if (watched.timer) clearTimeout(watched.timer);
      for (const watcher of watched.watchers) watcher.close();
    }
  }

  close(): void {
    for (const { members } of [...this.#watched.values()]) for (const member of [...members]) this.leave(member);
  }

  #soon(workspace: string, watched: Watched): void {
    watched.timer ??= setTimeout(() => {
      watched.timer = null;
      if (this.#watched.get(workspace) === watched) this.#check(workspace, watched);
    }, PAUSE_MS);
  }

  /** `.git` may be created, removed or replaced while programs run. */
  #rearm(workspace: string, watched: Watched): void {
    const folder = GitFolder.open(workspace);
    const id = folder?.id ?? "";
    folder?.close();
    if (id === watched.folderId) return;
    watched.folderId = id;
    for (const watcher of watched.watchers.splice(0)) watcher.close();
    const listen = (path: string, isOurs: (name: string) => boolean) => {
      try {
        const watcher = watch(path, { persistent: false }, (_, name) => {
          if (name === null || isOurs(name)) this.#soon(workspace, watched);
        });
        watcher.on("error", () => this.#soon(workspace, watched));
        watched.watchers.push(watcher);
      } catch {
        // It does not exist (any more). The check at the end still happens.
      }
    };
    listen(workspace, (name) => name === ".git");
    if (id !== "") listen(join(workspace, ".git"), (name) => FILES.includes(name));
  }

  #check(workspace: string, watched: Watched): void {
    this.#rearm(workspace, watched);
    const folder = GitFolder.open(workspace);
    if (!folder) return;
    try {
      for (const file of FILES) this.#checkFile(folder, file, watched);
    } finally {
      folder.close();
    }
  }

  #checkFile(folder: GitFolder, file: string, { accepted, members }: Watched): void {
    const before = accepted.get(file);
    const now = folder.read(file);
    if (before === undefined || now === before || now === null) return;
    const harmful = now === undefined ? null : harmfulEntries(before, now);
    if (now !== undefined && harmful?.length === 0) {
      accepted.set(file, now);
      return;
    }
    // Keeps what ordinary work wrote at the same time, if the file can be parsed.
    const lines = new Set(harmful?.map(({ line }) => line));
    const rest = now !== undefined && harmful && before !== null ? withoutLines(now, lines, before) : before;
    const content = rest !== null && harmfulEntries(before, rest)?.length === 0 ? rest : before;
    folder.restore(file, content);
    accepted.set(file, content);
    const keys = [...new Set(harmful?.map(({ key }) => key))];
    this.#onRestored({ members: [...members], file: folder.pathOf(file), keys });
  }
}

/** Added settings that are not harmless; null if the file cannot be parsed. */
function harmfulEntries(before: string | null, now: string): ConfigEntry[] | null {
  const entries = parseGitConfig(now);
  if (!entries) return null;
  const known = new Set((parseGitConfig(before ?? "") ?? []).map(({ key, value }) => `${key}\0${value}`));
  return entries.filter((entry) => !known.has(`${entry.key}\0${entry.value}`) && !isHarmless(entry));
}
