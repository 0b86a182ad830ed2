import type { AgentId, CommandId, CommandReport, TerminalId } from "@belay/protocol";
import type { Gateway } from "../../gateway.ts";
import type { Conversation } from "../../terminals/shells/agent-terminals.ts";

const MAX_KEPT = 1_000;

/**
 * What is remembered of one conversation between its calls: how far it has read, and what it still has to be told.
 *
 * It is a convenience and no more. After a restart an agent reads from the
 * beginning again; nothing is lost, and every reply names its position.
 */
export class AgentDesk {
  readonly #positions = new Map<CommandId | TerminalId, number>();
  readonly #sessions = new Map<string, TerminalId>();
  readonly #tasks = new Map<CommandId, PendingTask>();
  #untold: FinishedTask[] = [];

  /** Where this agent's next look at a command or terminal begins. */
  readFrom(id: CommandId | TerminalId): number {
    return this.#positions.get(id) ?? 0;
  }

  hasRead(id: CommandId | TerminalId, position: number): void {
    setNewest(this.#positions, id, position);
  }

  /** It asked for a terminal under a name of its own. */
  startedSession(name: string, terminalId: TerminalId): void {
    setNewest(this.#sessions, name, terminalId);
  }

  sessionTerminal(name: string): TerminalId | null {
    return this.#sessions.get(name) ?? null;
  }

  endedSession(name: string): void {
    this.#sessions.delete(name);
  }

  /** Its agent was told that it is not done, and is told when it is. */
  startedTask(id: CommandId, task: PendingTask): void {
    if (!this.#tasks.has(id)) setNewest(this.#tasks, id, task);
  }

  finished(report: CommandReport): void {
    const task = this.#tasks.get(report.commandId);
    if (!task) return;
    this.#tasks.delete(report.commandId);
    this.#untold.push({ ...task, report });
  }

  /** Its agent has asked after it, and needs not be told again. */
  hasHeardOf(id: CommandId): void {
    this.#tasks.delete(id);
    this.#untold = this.#untold.filter(({ report }) => report.commandId !== id);
  }

  /** What has finished since the last call; each is told once. */
  takeFinishedTasks(): FinishedTask[] {
    return this.#untold.splice(0);
  }
}

/** Forgets what is oldest, so that it cannot grow for ever. */
function setNewest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_KEPT && oldest !== undefined) map.delete(oldest);
}

interface PendingTask {
  line: string;
  /** It was started for nobody to watch. */
  isAsync: boolean;
}

export interface FinishedTask extends PendingTask {
  report: CommandReport;
}

/** A desk for each conversation that has called. */
export class AgentDesks {
  readonly #desks = new Map<string, AgentDesk>();
  /** The last number of a session, by agent: its conversations must not meet under one name. */
  readonly #lastNumbers = new Map<AgentId, number>();
  readonly #unsubscribe: () => void;

  constructor({ terminals }: Pick<Gateway, "terminals">) {
    this.#unsubscribe = terminals.subscribe((event) => {
      if (event.type !== "commandFinished") return;
      for (const desk of this.#desks.values()) desk.finished(event.report);
    });
  }

  of({ agent, id }: Conversation): AgentDesk {
    const key = `${agent.id} ${id ?? ""}`;
    const desk = this.#desks.get(key) ?? new AgentDesk();
    setNewest(this.#desks, key, desk);
    return desk;
  }

  /** A number that no session of this agent has had since the gateway started. */
  nextSessionNumber(agentId: AgentId, used: number[]): number {
    const next = Math.max(this.#lastNumbers.get(agentId) ?? 0, ...used) + 1;
    this.#lastNumbers.set(agentId, next);
    return next;
  }

  close(): void {
    this.#unsubscribe();
  }
}
