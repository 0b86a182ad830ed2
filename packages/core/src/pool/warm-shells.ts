import { stat } from "node:fs/promises";
import type { Terminal } from "../terminal/terminal.ts";
import type { SpawnRequest } from "./requests.ts";

export interface WarmShellsOptions {
  /** Starts a shell that has no owner yet. */
  start: () => Promise<Terminal>;
  /** The files that such a shell reads while it starts. */
  rcFiles: string[];
}

/**
 * One shell that is up before it is asked for, with the person's own files read.
 *
 * Each is used once: the caller gets it as new, and nothing of one call can be
 * left in the next. When a file that it read has changed since, it is thrown away.
 */
export class WarmShells {
  readonly #options: WarmShellsOptions;
  #next: Promise<{ terminal: Terminal; readState: string } | null> | null = null;
  #isClosed = false;

  constructor(options: WarmShellsOptions) {
    this.#options = options;
    this.warmUp();
  }

  /** Gets the next one ready, in the background. */
  warmUp(): void {
    this.#next ??= this.#prepare();
  }

  /** Null where none is ready: then a cold one is as fast. */
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
      // Before the start: a change while it reads must not be missed.
      const readState = await this.#readState();
      return { terminal: await this.#options.start(), readState };
    } catch {
      return null; // The caller starts a cold one, and gets the reason from that.
    }
  }

  async #readState(): Promise<string> {
    const stats = await Promise.all(this.#options.rcFiles.map((file) => stat(file).catch(() => null)));
    return stats.map((found) => (found ? `${found.mtimeMs}:${found.size}:${found.ino}` : "-")).join(" ");
  }
}

/** How a shell is started before it is asked for. */
export function warmRequest(shell: string, cwd: string): SpawnRequest {
  return {
    program: { type: "shell", shell, login: true },
    owner: "agent",
    visible: false,
    agentId: null,
    name: null,
    cwd,
    env: {},
    cols: 80,
    rows: 24,
    limits: { idleTimeoutMs: null, maxLifetimeMs: null },
    provider: "local",
  };
}
