import type { TerminalPool } from "@belay/core";
import type { TerminalId, TerminalInfo } from "@belay/protocol";
import type { AuditLog } from "../audit/audit-log.ts";
import { GatewayError } from "../errors.ts";
import type { AgentRow } from "../store/tables/agents.ts";
import type { AgentSpawner } from "./agent-spawner.ts";
import { agentShellRequest } from "./shell-request.ts";

/** An agent uses its own terminals only, and those only until a person takes over. */
export function assertMayUse(agent: AgentRow, terminal: TerminalInfo): void {
  if (terminal.agentId !== agent.id) {
    // Ids are names, not keys: another agent's terminal does not exist for this one.
    throw new GatewayError(
      "terminal-not-found",
      `No terminal "${terminal.id}". It may have closed, or never was yours.`,
    );
  }
  if (terminal.owner !== "agent") {
    const goOn = terminal.isBorrowed
      ? "They will hand it back; until then you can read it, and work in another one."
      : "You can still read it; go on in another one.";
    throw new GatewayError("terminal-not-yours", `A person has taken over terminal "${terminal.id}". ${goOn}`);
  }
}

/** Finds an agent a shell at its prompt, so that one after the other can use the same one. */
export class AgentTerminals {
  readonly #terminals: TerminalPool;
  readonly #spawner: AgentSpawner;
  readonly #audit: AuditLog;
  readonly #workspace: string;
  /** Shells that were handed out and have not started their command yet. */
  readonly #taken = new Set<TerminalId>();

  constructor(deps: { terminals: TerminalPool; spawner: AgentSpawner; audit: AuditLog; workspace: string }) {
    this.#terminals = deps.terminals;
    this.#spawner = deps.spawner;
    this.#audit = deps.audit;
    this.#workspace = deps.workspace;
  }

  /** Lends a shell until it is given back. Two calls at once get two shells, and what waits for a person keeps its own. */
  async borrow(agent: AgentRow): Promise<{ terminal: TerminalInfo; giveBack(): void }> {
    const terminal = (await this.#takeIdle(agent)) ?? (await this.open(agent, null));
    this.#taken.add(terminal.id);
    return { terminal, giveBack: () => void this.#taken.delete(terminal.id) };
  }

  /** After a restart, reserves the terminal that a waiting command was given. */
  keep(terminalId: TerminalId): () => void {
    this.#taken.add(terminalId);
    return () => void this.#taken.delete(terminalId);
  }

  async #takeIdle(agent: AgentRow): Promise<TerminalInfo | undefined> {
    const all = await this.#terminals.list();
    // Found and taken in one step, so that two calls at once cannot find the same one.
    const idle = all.find(
      (terminal) =>
        terminal.agentId === agent.id &&
        terminal.owner === "agent" &&
        // One with a name was started for something, and is not lent out for anything else.
        terminal.name === null &&
        terminal.shell !== null &&
        terminal.state.status === "running" &&
        terminal.activity.kind === "idle" &&
        !this.#taken.has(terminal.id),
    );
    if (idle) this.#taken.add(idle.id);
    return idle;
  }

  /** Starts a shell in the workspace. With a name it is found again by that, and by nobody else. */
  async open(agent: AgentRow, name: string | null): Promise<TerminalInfo> {
    const terminal = await this.#spawner.spawn(agent.id, agentShellRequest({ name, cwd: this.#workspace }));
    await this.#audit.append({
      type: "terminal.created",
      actor: { type: "agent", id: agent.id },
      terminalId: terminal.id,
      detail: { shell: terminal.shell, cwd: terminal.cwd, name },
    });
    return terminal;
  }
}
