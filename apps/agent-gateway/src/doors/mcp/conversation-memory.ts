import type { AgentId, CommandId, CommandReport, TerminalId } from "@belay/protocol";
import type { Gateway } from "../../gateway.ts";
import type { Conversation } from "../../terminals/shells/agent-terminals.ts";

const MAX_KEPT = 1_000;

/**
 * The state of one conversation between its calls: read positions, and results to report.
 *
 * It is only a convenience. After a restart an agent reads from the
 * beginning again; nothing is lost, and every reply names its position.
 */
export class ConversationMemory {
  readonly #positions = new Map<CommandId | TerminalId, number>();
  readonly #namedTerminals = new Map<string, TerminalId>();
  readonly #tasks = new Map<CommandId, PendingTask>();
  #untold: FinishedTask[] = [];

  /** Where this agent's next read of a command or terminal begins. */
  readFrom(id: CommandId | TerminalId): number {
    return this.#positions.get(id) ?? 0;
  }

  hasRead(id: CommandId | TerminalId, position: number): void {
    setNewest(this.#positions, id, position);
  }

  /** It requested a terminal with its own name. */
  nameTerminal(name: string, terminalId: TerminalId): void {
    setNewest(this.#namedTerminals, name, terminalId);
  }

  terminalNamed(name: string): TerminalId | null {
    return this.#namedTerminals.get(name) ?? null;
  }

  forgetName(name: string): void {
    this.#namedTerminals.delete(name);
  }

  /** Its agent was told that it is not done, and will be told when it is. */
  startedTask(id: CommandId, task: PendingTask): void {
    if (!this.#tasks.has(id)) setNewest(this.#tasks, id, task);
  }

  finished(report: CommandReport): void {
    const task = this.#tasks.get(report.commandId);
    if (!task) return;
    this.#tasks.delete(report.commandId);
    this.#untold.push({ ...task, report });
  }

  /** Its agent has polled it, and need not be told again. */
  hasHeardOf(id: CommandId): void {
    this.#tasks.delete(id);
    this.#untold = this.#untold.filter(({ report }) => report.commandId !== id);
  }

  /** Commands finished since the last call; each is reported once. */
  takeFinishedTasks(): FinishedTask[] {
    return this.#untold.splice(0);
  }
}

/** Drops the oldest, to bound memory. */
function setNewest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_KEPT && oldest !== undefined) map.delete(oldest);
}

interface PendingTask {
  line: string;
  /** It was started as an unattended task. */
  isAsync: boolean;
}

export interface FinishedTask extends PendingTask {
  report: CommandReport;
}

/** The state of each conversation. */
export class ConversationMemories {
  readonly #memories = new Map<string, ConversationMemory>();
  /** The last terminal number of each agent, shared by its conversations to keep names unique. */
  readonly #lastNumbers = new Map<AgentId, number>();
  readonly #unsubscribe: () => void;

  constructor({ terminals }: Pick<Gateway, "terminals">) {
    this.#unsubscribe = terminals.subscribe((event) => {
      if (event.type !== "commandFinished") return;
      for (const memory of this.#memories.values()) memory.finished(event.report);
    });
  }

  of({ agent, id }: Conversation): ConversationMemory {
    const key = `${agent.id} ${id ?? ""}`;
    const memory = this.#memories.get(key) ?? new ConversationMemory();
    setNewest(this.#memories, key, memory);
    return memory;
  }

  /** A number that no terminal of this agent has used since the gateway started. */
  nextTerminalNumber(agentId: AgentId, used: number[]): number {
    const next = Math.max(this.#lastNumbers.get(agentId) ?? 0, ...used) + 1;
    this.#lastNumbers.set(agentId, next);
    return next;
  }

  close(): void {
    this.#unsubscribe();
  }
}
