import { createHash, randomBytes } from "node:crypto";
import type { Actor } from "@belay/protocol";
import type { AuditLog } from "./audit/audit-log.ts";
import { GatewayError } from "./errors.ts";
import type { EventBus } from "./events.ts";
import { newId } from "./new-id.ts";
import {
  type AgentRow,
  findAgentByName,
  findAgentByTokenHash,
  insertAgent,
  listAgents,
  markAgentRevoked,
} from "./store/agents.ts";
import type { Db } from "./store/database.ts";

const TOKEN_PREFIX = "blt_";

/** The agents that may connect, each by a token that is shown once. */
export class Agents {
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

  async add(request: { name: string; profile: string }, by: Actor): Promise<AgentRow & { token: string }> {
    if (await findAgentByName(this.#db, request.name)) {
      throw new GatewayError("agent-exists", `There is an agent "${request.name}" already. Choose another name.`);
    }
    const token = TOKEN_PREFIX + randomBytes(32).toString("base64url");
    const agent = { id: newId("agt"), ...request, createdAt: this.#now(), revokedAt: null };
    await this.#audit.append({ type: "agent.added", actor: by, detail: { ...agent } });
    await insertAgent(this.#db, { ...agent, tokenHash: hashToken(token) });
    this.#events.publish({ type: "agent", event: "added" });
    return { ...agent, token };
  }

  async list(): Promise<AgentRow[]> {
    return listAgents(this.#db);
  }

  async revoke(name: string, by: Actor): Promise<AgentRow> {
    const agent = await findAgentByName(this.#db, name);
    if (!agent) {
      throw new GatewayError("agent-not-found", `No agent "${name}". List the agents to see their names.`);
    }
    if (agent.revokedAt !== null) return agent;
    await this.#audit.append({ type: "agent.revoked", actor: by, detail: { id: agent.id, name } });
    const revokedAt = this.#now();
    await markAgentRevoked(this.#db, agent.id, revokedAt);
    this.#events.publish({ type: "agent", event: "revoked" });
    return { ...agent, revokedAt };
  }

  /** The agent behind a token, or null. Revoked agents are nobody. */
  async authenticate(token: string): Promise<AgentRow | null> {
    if (!token.startsWith(TOKEN_PREFIX)) return null;
    const agent = await findAgentByTokenHash(this.#db, hashToken(token));
    return agent && agent.revokedAt === null ? agent : null;
  }
}

// 256 random bits need no slow hash: there is nothing to guess.
function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
