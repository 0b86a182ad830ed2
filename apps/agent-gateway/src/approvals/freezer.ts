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

type ReleaseListener = (
  isCovered: (agentId: AgentId) => boolean,
  frozenMs: (agentId: AgentId, since: number) => number,
) => Promise<void>;

interface Deps {
  db: Db;
  audit: AuditLog;
  events: EventBus;
  now: () => number;
  /** Has every other gateway read the freezes, and returns those that did not confirm it. */
  tellOthers: () => Promise<{ name: string }[]>;
}

/**
 * The emergency stop: while an agent is frozen, none of its commands starts,
 * neither new ones nor those that a person approves meanwhile.
 * It survives a restart.
 */
export class Freezer {
  readonly #db: Db;
  readonly #audit: AuditLog;
  readonly #events: EventBus;
  readonly #now: () => number;
  readonly #tellOthers: () => Promise<{ name: string }[]>;
  #onReleased: ReleaseListener = async () => {};

  constructor({ db, audit, events, now, tellOthers }: Deps) {
    this.#db = db;
    this.#audit = audit;
    this.#events = events;
    this.#now = now;
    this.#tellOthers = tellOthers;
  }

  /** Called with the released agents, and how long they were frozen since a moment. */
  whenReleased(listener: ReleaseListener): void {
    this.#onReleased = listener;
  }

  async list(): Promise<Frozen[]> {
    return (await listFreezes(this.#db)).map((row) => ({ ...row, by: JSON.parse(row.by) as Actor }));
  }

  async isFrozen(agentId: AgentId): Promise<boolean> {
    return (await listFreezes(this.#db)).some(({ scope }) => scope === "*" || scope === agentId);
  }

  /**
   * Returns the gateways that did not confirm it. Every gateway looks into the database before it starts a command, so only
   * a command that had passed that check already can still start there.
   */
  async freeze(scope: FreezeScope, by: Actor): Promise<{ notReached: string[] }> {
    // Frozen before it is recorded: if recording fails, too much is frozen, never too little.
    const isNew = await insertFreeze(this.#db, { scope, at: this.#now(), by: JSON.stringify(by) });
    this.#events.publish({ type: "freeze" });
    const notReached = (await this.#tellOthers()).map(({ name }) => name);
    if (!isNew) return { notReached };
    await this.#audit.append({
      type: "agents.frozen",
      actor: by,
      detail: { scope, before: "running", after: "frozen", ...(notReached.length > 0 && { notReached }) },
    });
    return { notReached };
  }

  async release(scope: FreezeScope, by: Actor): Promise<void> {
    const frozen = await listFreezes(this.#db);
    const released = frozen.find((row) => row.scope === scope);
    if (!released) return;
    await this.#audit.append({
      type: "agents.released",
      actor: by,
      detail: { scope, before: "frozen", after: "running" },
    });
    // Another gateway may have released it at the same moment; its deadlines move once.
    if (!(await deleteFreeze(this.#db, scope))) return;
    const now = this.#now();
    const isCovered = (agentId: AgentId) => scope === "*" || scope === agentId;
    // If another freeze is still active, the time since its start is accounted for by that one.
    await this.#onReleased(isCovered, (agentId, since) => {
      const others = frozen.filter((row) => row !== released && (row.scope === "*" || row.scope === agentId));
      return Math.max(0, Math.min(now, ...others.map(({ at }) => at)) - Math.max(released.at, since));
    });
    this.#events.publish({ type: "freeze" });
  }
}
