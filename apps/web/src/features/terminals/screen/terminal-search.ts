import type { ISearchOptions, SearchAddon } from "@xterm/addon-search";
import type { Terminal } from "@xterm/xterm";

export interface SearchResult {
  /** From 1; 0 if there are too many to count. */
  at: number;
  count: number;
}

const OPTIONS: ISearchOptions = {
  caseSensitive: false,
  decorations: {
    matchBackground: "#3a3f24",
    matchOverviewRuler: "#ffb454",
    activeMatchBackground: "#8a4700",
    activeMatchColorOverviewRuler: "#ffb454",
  },
};

/** Finds text in a terminal's scrollback. Its code is loaded on first use, or earlier with `load`. */
export class TerminalSearch {
  readonly #terminal: Terminal;
  readonly #listeners = new Set<(result: SearchResult) => void>();
  #addon: SearchAddon | null = null;
  #loading: Promise<void> | null = null;
  #wanted: { text: string; direction: "next" | "previous" } | null = null;
  #isClosed = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Jumps to the next match, or the previous one; an empty text ends the search. */
  find(text: string, direction: "next" | "previous"): void {
    this.#wanted = { text, direction };
    if (this.#addon) this.#findWanted(this.#addon);
    else this.load();
  }

  /** Reports the number of matches, until the returned function is called. */
  onResult(listener: (result: SearchResult) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  load(): void {
    if (this.#isClosed) return;
    // The next search tries again if it could not be loaded.
    this.#loading ??= this.#loadAddon().catch(() => {
      this.#loading = null;
    });
  }

  close(): void {
    this.#isClosed = true;
  }

  async #loadAddon(): Promise<void> {
    const { SearchAddon } = await import("@xterm/addon-search");
    if (this.#isClosed) return;
    const addon = new SearchAddon();
    this.#terminal.loadAddon(addon);
    addon.onDidChangeResults(({ resultIndex, resultCount }) => {
      for (const listener of this.#listeners) listener({ at: resultIndex + 1, count: resultCount });
    });
    this.#addon = addon;
    this.#findWanted(addon);
  }

  /** Only the last one, if several were wanted while it was loaded. */
  #findWanted(addon: SearchAddon): void {
    const wanted = this.#wanted;
    this.#wanted = null;
    if (!wanted) return;
    if (wanted.text === "") {
      addon.clearDecorations();
      this.#terminal.clearSelection();
    } else if (wanted.direction === "next") addon.findNext(wanted.text, OPTIONS);
    else addon.findPrevious(wanted.text, OPTIONS);
  }
}
