import type { TerminalPool } from "@belay/core";
import type { Actor, TerminalId, TerminalInfo } from "@belay/protocol";
import type { AuditLog } from "../audit/audit-log.ts";
import type { ShellMemories } from "../policy/memories/shell-memories.ts";

/** A person temporarily takes over an agent's terminal, and hands it back (W13). */
export class Loans {
  readonly #terminals: TerminalPool;
  readonly #audit: AuditLog;
  readonly #memories: ShellMemories;

  constructor(deps: { terminals: TerminalPool; audit: AuditLog; shellMemories: ShellMemories }) {
    this.#terminals = deps.terminals;
    this.#audit = deps.audit;
    this.#memories = deps.shellMemories;
  }

  async borrow(id: TerminalId, by: Actor): Promise<TerminalInfo> {
    await this.#terminals.get(id);
    await this.#audit.append({ type: "terminal.borrowed", actor: by, terminalId: id });
    // Before the first key: the person may set any variable, and their input is not judged.
    await this.#memories.forgetValues(id);
    return this.#terminals.borrow(id);
  }

  async handBack(id: TerminalId, by: Actor): Promise<TerminalInfo> {
    const terminal = await this.#terminals.handBack(id);
    await this.#audit.append({ type: "terminal.handed-back", actor: by, terminalId: id });
    return terminal;
  }
}
