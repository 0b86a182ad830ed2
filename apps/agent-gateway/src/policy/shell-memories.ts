import { emptyMemory, type ShellMemory } from "@belay/policy";
import type { TerminalId } from "@belay/protocol";
import type { Db } from "../store/database.ts";
import {
  deleteOtherShellMemories,
  deleteShellMemory,
  listShellMemories,
  saveShellMemory,
} from "../store/tables/shell-memories.ts";

/**
 * What each terminal's shell remembers: functions, aliases, variables.
 *
 * Terminals outlive the gateway, so it is stored, and before the command that changes
 * it: an alias that nobody remembers would be judged as the program it hides.
 */
export class ShellMemories {
  readonly #db: Db;
  readonly #memories = new Map<TerminalId, { memory: ShellMemory; stored: string }>();

  static async open(db: Db): Promise<ShellMemories> {
    const memories = new ShellMemories(db);
    for (const { terminalId, memory } of await listShellMemories(db)) {
      memories.#memories.set(terminalId, { memory: JSON.parse(memory) as ShellMemory, stored: memory });
    }
    return memories;
  }

  private constructor(db: Db) {
    this.#db = db;
  }

  of(terminalId: TerminalId | null): ShellMemory {
    return (terminalId === null ? undefined : this.#memories.get(terminalId)?.memory) ?? emptyMemory;
  }

  async set(terminalId: TerminalId, memory: ShellMemory): Promise<void> {
    const stored = JSON.stringify(memory);
    // Most commands leave nothing behind, and cost no write.
    if ((this.#memories.get(terminalId)?.stored ?? EMPTY) === stored) return;
    await saveShellMemory(this.#db, terminalId, stored);
    this.#memories.set(terminalId, { memory, stored });
  }

  async forget(terminalId: TerminalId): Promise<void> {
    if (!this.#memories.delete(terminalId)) return;
    await deleteShellMemory(this.#db, terminalId);
  }

  /** After a restart: keeps those of terminals that are still there. */
  async keepOnly(terminalIds: TerminalId[]): Promise<void> {
    const kept = new Set(terminalIds);
    for (const id of this.#memories.keys()) if (!kept.has(id)) this.#memories.delete(id);
    await deleteOtherShellMemories(this.#db, terminalIds);
  }
}

const EMPTY = JSON.stringify(emptyMemory);
