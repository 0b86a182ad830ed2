import type { CommandId, CommandReport, TerminalId, TerminalInfo } from "@belay/protocol";
import type { PoolEvent } from "../../pool/terminal-pool.ts";

/** The last known state of each open terminal: all that can be reported if their host dies. */
export class KnownTerminals {
  readonly #open = new Map<TerminalId, TerminalInfo>();
  /** The output position of each terminal when its current command was first seen. */
  readonly #startPositions = new Map<CommandId, number>();
  readonly #ends = new Map<TerminalId, number>();

  reset(terminals: TerminalInfo[]): void {
    this.#open.clear();
    this.#ends.clear();
    for (const terminal of terminals) this.#see(terminal);
  }

  hear(event: PoolEvent): void {
    if (event.type === "commandFinished") this.#startPositions.delete(event.report.commandId);
    else if (event.type === "closed") this.#forget(event.terminal);
    else if ("terminal" in event && isOpen(event.terminal)) this.#see(event.terminal);
  }

  find(id: TerminalId): TerminalInfo | null {
    return this.#open.get(id) ?? null;
  }

  all(): TerminalInfo[] {
    return [...this.#open.values()];
  }

  /** The terminal has printed at least this much. */
  reached(id: TerminalId, position: number): void {
    if (this.#open.has(id) && position > (this.#ends.get(id) ?? -1)) this.#ends.set(id, position);
  }

  hasReached(id: TerminalId, position: number): boolean {
    return position <= (this.#ends.get(id) ?? -1);
  }

  /** The host is gone: returns how every terminal and every running command ended. */
  lose(now: number): { terminals: TerminalInfo[]; reports: CommandReport[] } {
    const lost = [...this.#open.values()];
    const reports = lost.flatMap((terminal): CommandReport[] => {
      const { activity, id, cwd } = terminal;
      if (activity.kind !== "busy" || activity.commandId === null) return [];
      const endPosition = this.#ends.get(id) ?? terminal.position;
      const startPosition = this.#startPositions.get(activity.commandId) ?? endPosition;
      return [
        {
          commandId: activity.commandId,
          terminalId: id,
          state: "exited",
          evidence: "exit",
          exitCode: null,
          startPosition,
          endPosition,
          cwd,
          // Both are wall-clock times, and the clock may have been set in between.
          durationMs: Math.max(0, now - activity.since),
        },
      ];
    });
    this.reset([]);
    this.#startPositions.clear();
    const state = { status: "closed", reason: "host-lost", exitCode: null } as const;
    return { terminals: lost.map((terminal) => ({ ...terminal, state, activity: { kind: "idle" } })), reports };
  }

  #see(terminal: TerminalInfo): void {
    this.#open.set(terminal.id, terminal);
    this.reached(terminal.id, terminal.position);
    const { activity, position } = terminal;
    if (activity.kind !== "busy" || activity.commandId === null) return;
    if (!this.#startPositions.has(activity.commandId)) this.#startPositions.set(activity.commandId, position);
  }

  #forget({ id }: TerminalInfo): void {
    this.#open.delete(id);
    this.#ends.delete(id);
  }
}

function isOpen({ state }: TerminalInfo): boolean {
  return state.status === "starting" || state.status === "running";
}
