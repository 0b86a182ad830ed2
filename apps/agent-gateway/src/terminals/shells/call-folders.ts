import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import type { TerminalId, TerminalInfo } from "@belay/protocol";

interface Visit {
  /** The folder of one call. */
  at: string;
  /** Where the shell was before, and goes back to. */
  from: string;
}

/**
 * Lets the folder that a call names last for that call alone (D10): the next command in the same shell goes back first,
 * unless the command itself has moved the shell meanwhile.
 */
export class CallFolders {
  readonly #visits = new Map<TerminalId, Visit>();

  /** Where the shell is, as its agent sees it. */
  homeOf({ id, cwd }: Pick<TerminalInfo, "id" | "cwd">): string {
    const visit = this.#visits.get(id);
    return visit?.at === cwd ? visit.from : cwd;
  }

  /** Where the next command in this shell has to run; undefined: where the shell is. */
  async next(terminal: Pick<TerminalInfo, "id" | "cwd">, asked: string | undefined): Promise<string | undefined> {
    const home = this.homeOf(terminal);
    this.#visits.delete(terminal.id);
    if (asked === undefined) return home === terminal.cwd ? undefined : home;
    const folder = resolve(home, asked);
    // By the kernel's name for it, which is what the shell's folder is compared with.
    const at = await realpath(folder).catch(() => folder);
    if (at !== home) this.#visits.set(terminal.id, { at, from: home });
    return folder;
  }

  forget(id: TerminalId): void {
    this.#visits.delete(id);
  }
}
