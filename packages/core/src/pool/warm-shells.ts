import { stat } from "node:fs/promises";
import type { Terminal } from "../terminal/terminal.ts";
import type { SpawnRequest } from "./requests.ts";
import { shellRequest } from "./shell-request.ts";

export interface WarmShellsOptions {
  /** Starts a shell that has no owner yet. */
  start: () => Promise<Terminal>;
  /** The start-up files that such a shell reads. */
  rcFiles: string[];
}

/**
 * One shell that is started in advance, with the person's own start-up files read.
 *
 * Each is used once: the caller gets it in its initial state, and no state leaks into
 * the next call. If one of its start-up files has changed since, it is discarded.
 */
export class WarmShells {
  readonly #options: WarmShellsOptions;
  #next: Promise<{ terminal: Terminal; readState: string } | null> | null = null;
  #isClosed = false;

  constructor(options: WarmShellsOptions) {
    this.#options = options;
    this.warmUp();
  }

  /** Prepares the next one in the background. */
  warmUp(): void {
    this.#next ??= this.#prepare();
  }

  /** Null if none is ready: then a cold one is as fast. */
  async take(): Promise<Terminal | null> {
    const taken = this.#next;
    this.#next = null;
    if (this.#isClosed) return null;
    this.warmUp();
    const warm = await taken;
    if (!warm) return null;
    if (warm.terminal.isOpen && warm.readState === (await this.#readState())) return warm.terminal;
    await warm.terminal.close("killed");
    return null;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const warm = await this.#next;
    await warm?.terminal.close("shutdown");
  }

  async #prepare(): Promise<{ terminal: Terminal; readState: string } | null> {
    try {
      // Before the start, so that a change while the shell reads them is not missed.
      const readState = await this.#readState();
      return { terminal: await this.#options.start(), readState };
    } catch {
      return null; // The caller starts a cold one, which reports the reason.
    }
  }

  async #readState(): Promise<string> {
    const stats = await Promise.all(this.#options.rcFiles.map((file) => stat(file).catch(() => null)));
    return stats.map((found) => (found ? `${found.mtimeMs}:${found.size}:${found.ino}` : "-")).join(" ");
  }
}

/** The request for a shell that is started in advance. */
export function warmRequest(shell: string, cwd: string): SpawnRequest {
  return shellRequest(cwd, { program: { type: "shell", shell, login: true } });
}
