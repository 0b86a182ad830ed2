import type { TerminalPool } from "@belay/core";
import type { Actor, AgentId, TerminalId, TerminalInfo } from "@belay/protocol";
import type { AuditLog } from "../../audit/audit-log.ts";
import { GatewayError } from "../../errors.ts";
import type { Db } from "../../store/database.ts";
import {
  type AgentShare,
  deleteAgentShare,
  deleteAgentSharesOf,
  insertAgentShare,
  listAgentShares,
} from "../../store/tables/agent-shares.ts";
import type { AgentRow } from "../../store/tables/agents.ts";

interface Deps {
  db: Db;
  audit: AuditLog;
  terminals: TerminalPool;
  now: () => number;
}

/** Decides what an agent may read: its own terminals, those it handed over, and those that people shared with it. */
export class SharedTerminals {
  readonly #deps: Deps;
  readonly #shares: Map<TerminalId, Set<AgentId>>;

  static async open(deps: Deps): Promise<SharedTerminals> {
    return new SharedTerminals(deps, await listAgentShares(deps.db));
  }

  private constructor(deps: Deps, shares: AgentShare[]) {
    this.#deps = deps;
    this.#shares = new Map();
    for (const { terminalId, agentId } of shares) this.#add(terminalId, agentId);
  }

  canRead(agent: Pick<AgentRow, "id">, terminal: Pick<TerminalInfo, "id" | "agentId">): boolean {
    return terminal.agentId === agent.id || (this.#shares.get(terminal.id)?.has(agent.id) ?? false);
  }

  /** The terminal, if the agent may read it; otherwise it does not exist. */
  async readable(agent: Pick<AgentRow, "id">, id: TerminalId): Promise<TerminalInfo> {
    const terminal = await this.#deps.terminals.get(id);
    if (this.canRead(agent, terminal)) return terminal;
    throw new GatewayError("terminal-not-found", `No terminal "${id}". It may have closed, or it is not yours.`);
  }

  /** The open ones. */
  async list(agent: Pick<AgentRow, "id">): Promise<TerminalInfo[]> {
    return (await this.#deps.terminals.list()).filter((terminal) => this.canRead(agent, terminal));
  }

  async share(terminalId: TerminalId, agent: AgentRow, by: Actor): Promise<void> {
    const { db, audit, terminals, now } = this.#deps;
    const terminal = await terminals.get(terminalId);
    if (terminal.owner !== "user") {
      throw new GatewayError("bad-request", "Only a person's own terminal can be shared with an agent.");
    }
    const detail = { agentId: agent.id, agent: agent.name };
    await audit.append({ type: "terminal.shared", actor: by, terminalId, detail });
    await insertAgentShare(db, { terminalId, agentId: agent.id, by: JSON.stringify(by), at: now() });
    this.#add(terminalId, agent.id);
  }

  async unshare(terminalId: TerminalId, agent: AgentRow, by: Actor): Promise<void> {
    const { db, audit } = this.#deps;
    this.#shares.get(terminalId)?.delete(agent.id);
    await deleteAgentShare(db, { terminalId, agentId: agent.id });
    const detail = { agentId: agent.id, agent: agent.name };
    await audit.append({ type: "terminal.unshared", actor: by, terminalId, detail });
  }

  async forget(terminalId: TerminalId): Promise<void> {
    if (this.#shares.delete(terminalId)) await deleteAgentSharesOf(this.#deps.db, terminalId);
  }

  #add(terminalId: TerminalId, agentId: AgentId): void {
    const agents = this.#shares.get(terminalId) ?? new Set();
    this.#shares.set(terminalId, agents.add(agentId));
  }
}
