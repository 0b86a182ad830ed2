import { resolve } from "node:path";
import type { TerminalId, TerminalInfo } from "@belay/protocol";

interface Visit {
  /** The folder of one call. */
  at: string;
  /** The folder to return to. */
  from: string;
}

/**
 * Limits the folder of a call to that call (D10): the next command in the same shell first goes back,
 * unless the command itself changed the folder.
 */
export class CallFolders {
  readonly #visits = new Map<TerminalId, Visit>();

  /** The shell's folder as its agent sees it. */
  homeOf({ id, cwd }: Pick<TerminalInfo, "id" | "cwd">): string {
    const visit = this.#visits.get(id);
    return visit?.at === cwd ? visit.from : cwd;
  }

  /**
   * The folder for the next command in this shell; undefined: the current one. `realFolder` finds the real path on the
   * shell's machine, which is compared with the shell's folder.
   */
  async next(
    terminal: Pick<TerminalInfo, "id" | "cwd">,
    asked: string | undefined,
    realFolder: (path: string) => Promise<string>,
  ): Promise<string | undefined> {
    const home = this.homeOf(terminal);
    this.#visits.delete(terminal.id);
    if (asked === undefined) return home === terminal.cwd ? undefined : home;
    const folder = resolve(home, asked);
    const at = await realFolder(folder);
    if (at !== home) this.#visits.set(terminal.id, { at, from: home });
    return folder;
  }

  forget(id: TerminalId): void {
    this.#visits.delete(id);
  }
}
