import type { Actor, AgentId } from "@belay/protocol";
import type { AuditLog } from "../audit/audit-log.ts";
import type { EventBus } from "../events.ts";
import type { Db } from "../store/database.ts";
import { deleteFreeze, type FreezeScope, insertFreeze, listFreezes } from "../store/tables/freezes.ts";

export interface Frozen {
  scope: FreezeScope;
  at: number;
  by: Actor;
}

/**
 * The emergency stop: while an agent is frozen, nothing of it runs that had not
 * begun, neither new commands nor those that a person approves meanwhile.
 * It outlives a restart.
 */
export class Freezer {
  readonly #db: Db;
  readonly #audit: AuditLog;
  readonly #events: EventBus;
  readonly #now: () => number;

  constructor({ db, audit, events, now }: { db: Db; audit: AuditLog; events: EventBus; now: () => number }) {
    this.#db = db;
    this.#audit = audit;
    this.#events = events;
    this.#now = now;
  }

  async list(): Promise<Frozen[]> {
    return (await listFreezes(this.#db)).map((row) => ({ ...row, by: JSON.parse(row.by) as Actor }));
  }

  async isFrozen(agentId: AgentId): Promise<boolean> {
    return (await listFreezes(this.#db)).some(({ scope }) => scope === "*" || scope === agentId);
  }

  async freeze(scope: FreezeScope, by: Actor): Promise<void> {
    // Frozen before it is recorded: if recording fails, too much is frozen, never too little.
    if (!(await insertFreeze(this.#db, { scope, at: this.#now(), by: JSON.stringify(by) }))) return;
    this.#events.publish({ type: "freeze" });
    await this.#audit.append({
      type: "agents.frozen",
      actor: by,
      detail: { scope, before: "running", after: "frozen" },
    });
  }

  async release(scope: FreezeScope, by: Actor): Promise<void> {
    if (!(await listFreezes(this.#db)).some((row) => row.scope === scope)) return;
    await this.#audit.append({
      type: "agents.released",
      actor: by,
      detail: { scope, before: "frozen", after: "running" },
    });
    await deleteFreeze(this.#db, scope);
    this.#events.publish({ type: "freeze" });
  }
}
