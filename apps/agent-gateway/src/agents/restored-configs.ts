import { GitConfigs, type TerminalPool } from "@belay/core";
import type { TerminalId } from "@belay/protocol";
import type { Logger } from "pino";
import type { AuditLog } from "../audit/audit-log.ts";

/** Puts on record that git settings were reverted, in terminals and in programs that run once. */
export class RestoredConfigs {
  readonly #audit: Pick<AuditLog, "append">;
  readonly #log: Logger;
  readonly #unsubscribe: () => void;
  /** Of programs that run once with pipes, in this process. */
  readonly gitConfigs = new GitConfigs((restored) => void this.#record([], restored));

  constructor(deps: { terminals: TerminalPool; audit: Pick<AuditLog, "append">; log: Logger }) {
    this.#audit = deps.audit;
    this.#log = deps.log;
    this.#unsubscribe = deps.terminals.subscribe((event) => {
      if (event.type === "gitConfigRestored") void this.#record(event.restored.terminalIds, event.restored);
    });
  }

  close(): void {
    this.#unsubscribe();
    this.gitConfigs.close();
  }

  async #record(terminalIds: readonly TerminalId[], { file, keys }: { file: string; keys: string[] }): Promise<void> {
    const [terminalId] = terminalIds;
    this.#log.warn({ file, keys, terminalIds }, "git settings that run programs were reverted");
    try {
      await this.#audit.append({
        type: "wall.git-config-restored",
        actor: { type: "system" },
        ...(terminalId !== undefined && { terminalId }),
        detail: { file, keys, terminals: [...terminalIds] },
      });
    } catch (error) {
      this.#log.error({ err: error, file }, "the reverted git settings could not be recorded");
    }
  }
}
