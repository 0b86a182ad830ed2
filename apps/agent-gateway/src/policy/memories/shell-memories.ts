import { emptyMemory, forgetValues, type ShellMemory } from "@belay/policy";
import type { AgentId, TerminalId } from "@belay/protocol";
import type { Db } from "../../store/database.ts";
import {
  deleteOtherShellMemories,
  deleteShellMemory,
  listShellMemories,
  saveShellMemory,
} from "../../store/tables/shell-memories.ts";
import { AgentFiles } from "./agent-files.ts";

/** The owner of a memory: a shell's definitions belong to its terminal, written files to the agent. */
export interface MemoryPlace {
  readonly terminalId: TerminalId | null;
  readonly agentId: AgentId;
  readonly workspace: string;
}

/**
 * What each terminal's shell remembers: functions, aliases, variables; and the files that its agent wrote.
 *
 * Terminals outlive the gateway, so it is stored, and stored before the command that changes
 * it runs: a forgotten alias would be judged as the program it hides.
 */
export class ShellMemories {
  readonly #db: Db;
  readonly #files: AgentFiles;
  readonly #memories = new Map<TerminalId, { memory: ShellMemory; stored: string }>();

  static async open(db: Db): Promise<ShellMemories> {
    const memories = new ShellMemories(db, await AgentFiles.open(db));
    for (const { terminalId, memory } of await listShellMemories(db)) {
      // A row from an earlier version may lack newer fields.
      const known: ShellMemory = { ...emptyMemory, ...(JSON.parse(memory) as Partial<ShellMemory>) };
      memories.#memories.set(terminalId, { memory: known, stored: memory });
    }
    return memories;
  }

  private constructor(db: Db, files: AgentFiles) {
    this.#db = db;
    this.#files = files;
  }

  of({ terminalId, agentId, workspace }: MemoryPlace): ShellMemory {
    const ofShell = terminalId === null ? emptyMemory : this.ofShell(terminalId);
    const { files, links } = this.#files.of(agentId, workspace);
    return { ...ofShell, files, links };
  }

  /** Stores what a command changes. If no shell remains, only its files. */
  async keep({ terminalId, agentId, workspace }: MemoryPlace, before: ShellMemory, after: ShellMemory): Promise<void> {
    await this.#files.keep(agentId, workspace, before, after);
    if (terminalId !== null) await this.#keepShell(terminalId, { ...after, files: {}, links: {} });
  }

  /** The memory of a terminal's shell. */
  ofShell(terminalId: TerminalId): ShellMemory {
    return this.#memories.get(terminalId)?.memory ?? emptyMemory;
  }

  /** A shell was started with variables of another one: copies what the judge knew about them. */
  async copyVariables(from: TerminalId, to: TerminalId, names: ReadonlySet<string>): Promise<void> {
    const { variables, hasForeignVariables } = this.ofShell(from);
    const copied = Object.entries(variables).filter(([name]) => names.has(name));
    await this.#keepShell(to, {
      ...emptyMemory,
      variables: Object.fromEntries(copied),
      ...(hasForeignVariables && { hasForeignVariables }),
    });
  }

  /** A terminal is about to start with variables that no command shows. */
  async startWithForeign(terminalId: TerminalId): Promise<void> {
    await this.#keepShell(terminalId, { ...this.ofShell(terminalId), hasForeignVariables: true });
  }

  /** Before a person types in the shell: its variables are unknown from now on. */
  async forgetValues(terminalId: TerminalId): Promise<void> {
    await this.#keepShell(terminalId, forgetValues(this.ofShell(terminalId)));
  }

  async #keepShell(terminalId: TerminalId, memory: ShellMemory): Promise<void> {
    const stored = JSON.stringify(memory);
    // Most commands leave nothing behind, so this saves a write.
    if ((this.#memories.get(terminalId)?.stored ?? EMPTY) === stored) return;
    await saveShellMemory(this.#db, terminalId, stored);
    this.#memories.set(terminalId, { memory, stored });
  }

  async forget(terminalId: TerminalId): Promise<void> {
    if (!this.#memories.delete(terminalId)) return;
    await deleteShellMemory(this.#db, terminalId);
  }

  /** After a restart: keeps the memories of terminals that still exist. */
  async keepOnly(terminalIds: TerminalId[]): Promise<void> {
    const kept = new Set(terminalIds);
    for (const id of this.#memories.keys()) if (!kept.has(id)) this.#memories.delete(id);
    await deleteOtherShellMemories(this.#db, terminalIds);
  }
}

const EMPTY = JSON.stringify(emptyMemory);
