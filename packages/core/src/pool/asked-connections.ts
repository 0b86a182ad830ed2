import { randomBytes } from "node:crypto";
import { type CommandId, formatId, ID_RANDOM_BYTES, type TerminalId } from "@belay/protocol";
import type { AskedConnection as Wanted } from "../walls/network/network-questions.ts";
import { ancestorAmong } from "../walls/network/who-connects.ts";
import type { AskedConnection } from "./requests.ts";
import type { PoolEvent } from "./terminal-pool.ts";

/** Longer than any question may wait: a fallback for when no gateway answers. */
const FORGET_AFTER_MS = 20 * 60_000;

type ConnectionEvent = Extract<PoolEvent, { type: "connectionAsked" | "connectionGone" }>;

interface Waiting {
  connection: AskedConnection;
  /** Its program waits no longer. It is kept until the gateway has heard of that, which it confirms with an answer. */
  isGone: boolean;
  answer(isAllowed: boolean): void;
}

/** Connections that wait for the gateway's answer. */
export class AskedConnections {
  readonly #waiting = new Map<CommandId, Waiting>();
  readonly #emit: (event: ConnectionEvent) => void;

  constructor(emit: (event: ConnectionEvent) => void) {
    this.#emit = emit;
  }

  /** What a new listener has to hear. */
  get events(): ConnectionEvent[] {
    return [...this.#waiting.values()].flatMap(({ connection, isGone }) => {
      const asked = { type: "connectionAsked", connection } as const;
      return isGone ? [asked, { type: "connectionGone", id: connection.id } as const] : [asked];
    });
  }

  /**
   * `leaders` are the first processes of the agent's terminals: a program cannot forge its ancestry. `gone` is aborted
   * when the program waits no longer.
   */
  ask(
    agentId: AskedConnection["agentId"],
    { host, port, kind, by }: Wanted,
    { leaders, gone }: { leaders: ReadonlyMap<number, TerminalId>; gone: AbortSignal },
  ): Promise<boolean> {
    const id = formatId("cmd", randomBytes(ID_RANDOM_BYTES));
    const terminalId = by && (ancestorAmong(by.pid, leaders) as TerminalId | null);
    const connection: AskedConnection = { id, terminalId, agentId, host, port, kind, program: by?.argv ?? [] };
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.answer(id, false), FORGET_AFTER_MS);
      const waiting: Waiting = {
        connection,
        isGone: false,
        answer: (isAllowed) => {
          clearTimeout(timer);
          resolve(isAllowed);
        },
      };
      this.#waiting.set(id, waiting);
      this.#emit({ type: "connectionAsked", connection });
      gone.addEventListener("abort", () => {
        resolve(false);
        if (!this.#waiting.has(id)) return;
        waiting.isGone = true;
        this.#emit({ type: "connectionGone", id });
      });
    });
  }

  /** False if its program waits no longer. */
  answer(id: CommandId, isAllowed: boolean): boolean {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.answer(isAllowed);
    return waiting !== undefined && !waiting.isGone;
  }

  /** Refuses the waiting connections of a terminal that has closed. */
  forget(terminalId: TerminalId): void {
    for (const { connection } of this.#waiting.values()) {
      if (connection.terminalId === terminalId) this.answer(connection.id, false);
    }
  }
}
