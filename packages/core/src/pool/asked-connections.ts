import { randomBytes } from "node:crypto";
import { type CommandId, formatId, ID_RANDOM_BYTES, type TerminalId } from "@belay/protocol";
import type { AskedConnection as Wanted } from "../walls/network/agent-networks.ts";
import { ancestorAmong } from "../walls/network/who-connects.ts";
import type { AskedConnection } from "./requests.ts";

/** Longer than any question may wait: a fallback for when no gateway answers. */
const FORGET_AFTER_MS = 20 * 60_000;

interface Waiting {
  connection: AskedConnection;
  answer(isAllowed: boolean): void;
}

/** Connections that wait for the gateway's answer. */
export class AskedConnections {
  readonly #waiting = new Map<CommandId, Waiting>();
  readonly #onAsked: (connection: AskedConnection) => void;

  constructor(onAsked: (connection: AskedConnection) => void) {
    this.#onAsked = onAsked;
  }

  get all(): AskedConnection[] {
    return [...this.#waiting.values()].map(({ connection }) => connection);
  }

  /** `leaders` are the first processes of the agent's terminals: a program cannot forge its ancestry. */
  ask(
    agentId: AskedConnection["agentId"],
    { host, port, kind, by }: Wanted,
    leaders: ReadonlyMap<number, TerminalId>,
  ): Promise<boolean> {
    const id = formatId("cmd", randomBytes(ID_RANDOM_BYTES));
    const terminalId = by && (ancestorAmong(by.pid, leaders) as TerminalId | null);
    const connection: AskedConnection = { id, terminalId, agentId, host, port, kind, program: by?.argv ?? [] };
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.answer(id, false), FORGET_AFTER_MS);
      this.#waiting.set(id, {
        connection,
        answer: (isAllowed) => {
          clearTimeout(timer);
          resolve(isAllowed);
        },
      });
      this.#onAsked(connection);
    });
  }

  answer(id: CommandId, isAllowed: boolean): boolean {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.answer(isAllowed);
    return waiting !== undefined;
  }

  /** Refuses the waiting connections of a terminal that has closed. */
  forget(terminalId: TerminalId): void {
    for (const { connection } of this.#waiting.values()) {
      if (connection.terminalId === terminalId) this.answer(connection.id, false);
    }
  }
}
