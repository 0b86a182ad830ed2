import type { CloseReason, TerminalId, TerminalInfo } from "@belay/protocol";
import type { Db } from "../store/database.ts";
import {
  closeMachineTerminal,
  deleteMachineTerminal,
  insertMachineTerminal,
  listMachineTerminals,
  type MachineTerminal,
  markToEnd,
  saveMachineTerminal,
} from "../store/tables/machines/machine-terminals.ts";

/** How long the machine of a terminal is remembered here after nothing is left to do for it. The database knows it longer. */
const REMEMBERED_MS = 24 * 3_600_000;

interface Deps {
  db: Db;
  now: () => number;
  onFailed: (error: unknown) => void;
}

/** Which machine each terminal of other machines is on, or was, and which of them are to end. */
export class Homes {
  readonly #deps: Deps;
  readonly #machines = new Map<TerminalId, string>();
  /** Terminals that end as soon as their machine is back. */
  readonly #ending = new Map<TerminalId, CloseReason>();
  /** Since when there is nothing left to do for a closed terminal, oldest first. */
  readonly #settledAt = new Map<TerminalId, number>();
  readonly #before: MachineTerminal[];

  private constructor(deps: Deps, before: MachineTerminal[]) {
    this.#deps = deps;
    this.#before = before;
    for (const { terminalId, machine, isOpen, isCopied, endReason } of before) {
      this.#machines.set(terminalId, machine);
      if (isOpen && endReason !== null) this.#ending.set(terminalId, endReason);
      if (!isOpen && isCopied) this.#settledAt.set(terminalId, deps.now());
    }
  }

  static async open(deps: Deps): Promise<Homes> {
    return new Homes(deps, await listMachineTerminals(deps.db, deps.now() - REMEMBERED_MS));
  }

  /** Null: on the gateway's own machine. */
  machineOf(id: TerminalId): string | null {
    return this.#machines.get(id) ?? null;
  }

  /** The terminals of a machine that an earlier gateway left open. */
  openBefore(name: string): TerminalInfo[] {
    return this.#before.flatMap(({ machine, isOpen, info }) => (machine === name && isOpen && info ? [info] : []));
  }

  /** Stored before it is started: if this process dies then, the terminal is still found. */
  async add(id: TerminalId, machine: string): Promise<void> {
    await insertMachineTerminal(this.#deps.db, { terminalId: id, machine, openedAt: this.#deps.now() });
    this.#machines.set(id, machine);
  }

  /** It did not start. */
  async remove(id: TerminalId): Promise<void> {
    this.#machines.delete(id);
    await deleteMachineTerminal(this.#deps.db, id);
  }

  started(terminal: TerminalInfo): void {
    this.#store(saveMachineTerminal(this.#deps.db, terminal));
  }

  closed(id: TerminalId): void {
    this.#ending.delete(id);
    this.#store(closeMachineTerminal(this.#deps.db, id, this.#deps.now()));
  }

  /** Its recording is here, too, or will never be. */
  settled(id: TerminalId): void {
    const now = this.#deps.now();
    this.#settledAt.set(id, now);
    for (const [old, at] of this.#settledAt) {
      if (now - at < REMEMBERED_MS) break;
      this.#settledAt.delete(old);
      this.#machines.delete(old);
    }
  }

  /** The machine was revoked: nothing more comes from it. */
  dropped(name: string): void {
    for (const [id, machine] of this.#machines) if (machine === name) this.settled(id);
  }

  async endLater(id: TerminalId, reason: CloseReason): Promise<void> {
    this.#ending.set(id, reason);
    await markToEnd(this.#deps.db, id, reason);
  }

  /** Why it must end; undefined if it need not. */
  endReason(id: TerminalId): CloseReason | undefined {
    return this.#ending.get(id);
  }

  /** The terminals that must end on this machine. */
  due(name: string): [id: TerminalId, reason: CloseReason][] {
    return [...this.#ending].filter(([id]) => this.#machines.get(id) === name);
  }

  #store(writing: Promise<void>): void {
    writing.catch(this.#deps.onFailed);
  }
}
