import type { AddressKind } from "./addresses.ts";
import type { Destination } from "./hosts.ts";
import { PROXY_PORT } from "./network-namespace.ts";
import { type Connecting, connectionsTo, isRunning, whoConnects } from "./who-connects.ts";

/** A program wants to connect to a host that is not listed. */
export interface AskedConnection extends Destination {
  kind: AddressKind;
  /** Null if it ended before it could be identified. */
  by: Connecting | null;
}

/** Asks about a connection. `gone` is aborted when no program waits for the answer any more. */
export type AskConnection = (connection: AskedConnection, gone: AbortSignal) => Promise<boolean>;

/** What the kernel says about the programs in the network. */
export interface NetworkView {
  whoConnects(fromPort: number): Connecting | null;
  /** The ports of the programs that are connected to the proxy. */
  connectedPorts(): ReadonlySet<number>;
  isRunning(program: Connecting): boolean;
}

interface OpenQuestion {
  answer: Promise<boolean>;
  by: Connecting | null;
  /** The program's ends of the connections that wait. */
  ports: Set<number>;
  /** When none of them was open any more. */
  closedAt: number | null;
  gone: AbortController;
}

/** More than any program needs; above it the question is asked again. */
const MAX_REMEMBERED = 10_000;
/** Only the kernel knows that a program which sends more than is read has closed its connection, so it is asked. */
const LOOK_EVERY_MS = 1000;
/** Installers try again after a time-out of their own, with pauses of a few seconds. They get the answer then. */
const RECONNECT_WITHIN_MS = 30_000;

/** The questions about connections out of one network. */
export class NetworkQuestions {
  readonly #ask: AskConnection;
  readonly #view: NetworkView;
  /** Allowed connections, by process and destination: an allowed program may reconnect until it ends. */
  readonly #allowed = new Set<string>();
  /** Several connections of a program to one destination are one question. */
  readonly #open = new Map<string, OpenQuestion>();
  #timer: NodeJS.Timeout | undefined;

  constructor(ask: AskConnection, view: NetworkView) {
    this.#ask = ask;
    this.#view = view;
  }

  async mayConnect(destination: Destination & { kind: AddressKind }, fromPort: number): Promise<boolean> {
    const by = this.#view.whoConnects(fromPort);
    const name = `${by?.pid} ${by?.startedAt} ${destination.host}:${destination.port}`;
    if (this.#allowed.has(name)) return true;
    const question = this.#open.get(name) ?? this.#begin(name, { ...destination, by });
    question.ports.add(fromPort);
    question.closedAt = null;
    return question.answer;
  }

  #begin(name: string, connection: AskedConnection): OpenQuestion {
    const gone = new AbortController();
    const answer = this.#ask(connection, gone.signal).catch(() => false); // the gateway that should answer is gone
    const question: OpenQuestion = { answer, by: connection.by, ports: new Set(), closedAt: null, gone };
    this.#open.set(name, question);
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    void answer.then((isAllowed) => {
      if (this.#allowed.size > MAX_REMEMBERED) this.#allowed.clear();
      if (isAllowed && connection.by) this.#allowed.add(name);
      this.#open.delete(name);
      if (this.#open.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
    return question;
  }

  /** Ends the questions of programs that have ended or given up. */
  #look(): void {
    const connected = this.#view.connectedPorts();
    const now = performance.now();
    for (const question of this.#open.values()) {
      for (const port of question.ports) if (!connected.has(port)) question.ports.delete(port);
      if (question.ports.size > 0) continue;
      question.closedAt ??= now;
      const { by, closedAt } = question;
      const mayReturn = by !== null && this.#view.isRunning(by) && now - closedAt < RECONNECT_WITHIN_MS;
      if (!mayReturn) question.gone.abort();
    }
  }
}

/** The network of a process. */
export function viewOfNetwork(networkPid: number): NetworkView {
  return {
    whoConnects: (fromPort) => whoConnects(networkPid, fromPort, PROXY_PORT),
    connectedPorts: () => new Set(connectionsTo(PROXY_PORT, networkPid).keys()),
    isRunning,
  };
}
