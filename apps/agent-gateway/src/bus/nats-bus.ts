import { connect, type Msg, type NatsConnection, RequestError, TimeoutError } from "@nats-io/transport-node";
import type { Logger } from "pino";
import { GatewayError } from "../errors.ts";
import { type Bus, BusError, type BusState } from "./bus.ts";
import { BusAnswer, BusQuestion, BusSignal } from "./messages.ts";
import { type NatsAddress, natsOptions } from "./nats-address.ts";
import type { Seal } from "./seal.ts";

interface Deps {
  self: string;
  address: NatsAddress;
  seal: Seal;
  log: Logger;
}

const CONNECT_TIMEOUT_MS = 5000;
const RECONNECT_EVERY_MS = 500;
/** A server that does not answer two pings is gone; the connection is closed and opened again. */
const PING_EVERY_MS = 2000;
const ALL = "belay.all";
/** How long a refused message is worth a notice. */
const LATELY_MS = 5 * 60_000;

/** The bus over a NATS server. It reconnects by itself, for ever. */
export class NatsBus implements Bus {
  readonly self: string;
  readonly #nats: NatsConnection;
  readonly #seal: Seal;
  readonly #log: Logger;
  readonly #listeners = new Set<(signal: BusSignal, from: string) => void>();
  readonly #stateListeners = new Set<(state: BusState) => void>();
  #answer: (question: BusQuestion, from: string) => Promise<BusAnswer> = async () => ({
    type: "failed",
    message: "This gateway is still starting.",
  });
  #state: BusState = "connected";
  #refusedAt: number | null = null;

  static async open(deps: Deps): Promise<NatsBus> {
    try {
      const nats = await connect({
        ...natsOptions(deps.address),
        name: `belay ${deps.self}`,
        timeout: CONNECT_TIMEOUT_MS,
        reconnect: true,
        maxReconnectAttempts: -1,
        reconnectTimeWait: RECONNECT_EVERY_MS,
        // A server that restarts may refuse everyone for a moment.
        ignoreAuthErrorAbort: true,
        pingInterval: PING_EVERY_MS,
        maxPingOut: 2,
      });
      const bus = new NatsBus(nats, deps);
      // The server knows the subscriptions before this gateway is told of, and asked.
      await nats.flush();
      return bus;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new GatewayError(
        "bus-not-reachable",
        `The NATS server of BELAY_NATS_URL (${deps.address.shown}) cannot be used: ${why}. Start it, or correct the address, user or password.`,
        { cause: error },
      );
    }
  }

  private constructor(nats: NatsConnection, { self, seal, log }: Deps) {
    this.#nats = nats;
    this.self = self;
    this.#seal = seal;
    this.#log = log;
    nats.subscribe(ALL, { callback: (error, message) => void (error ?? this.#hear(message)) });
    nats.subscribe(`belay.to.${self}`, { callback: (error, message) => void (error ?? this.#reply(message)) });
    void this.#follow();
  }

  get state(): BusState {
    return this.#state;
  }

  publish(signal: BusSignal): void {
    // The client would keep it and send it after reconnecting, when it is no longer true.
    if (this.#state === "disconnected") return;
    this.#nats.publish(ALL, this.#seal.close({ v: 1, from: this.self, to: "*", body: signal }));
  }

  subscribe(listener: (signal: BusSignal, from: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async ask(to: string, question: BusQuestion, timeoutMs: number): Promise<BusAnswer> {
    if (this.#state === "disconnected") throw new BusError("The NATS server is not connected.");
    try {
      const sealed = this.#seal.close({ v: 1, from: this.self, to, body: question });
      const { data } = await this.#nats.request(`belay.to.${to}`, sealed, { timeout: timeoutMs });
      const envelope = this.#seal.open(data);
      if (envelope?.from !== to || envelope.to !== this.self) throw new BusError(`Gateway ${to} gave no valid answer.`);
      return BusAnswer.parse(envelope.body);
    } catch (error) {
      if (error instanceof TimeoutError)
        throw new BusError(`Gateway ${to} did not answer within ${timeoutMs} ms.`, { cause: error });
      if (error instanceof RequestError) throw new BusError(`Gateway ${to} is not connected.`, { cause: error });
      if (error instanceof BusError) throw error;
      throw new BusError(`Gateway ${to} could not be asked.`, { cause: error });
    }
  }

  serve(answer: (question: BusQuestion, from: string) => Promise<BusAnswer>): void {
    this.#answer = answer;
  }

  hasRefusedLately(): boolean {
    return this.#refusedAt !== null && performance.now() - this.#refusedAt < LATELY_MS;
  }

  onState(listener: (state: BusState) => void): () => void {
    this.#stateListeners.add(listener);
    return () => void this.#stateListeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    this.#stateListeners.clear();
    const wasConnected = this.#state === "connected";
    this.#state = "disconnected";
    if (this.#nats.isClosed()) return;
    // Flushes what was published last; a lost server must not hold the stop.
    if (wasConnected) await this.#nats.drain().catch(() => this.#nats.close());
    else await this.#nats.close();
  }

  async #follow(): Promise<void> {
    for await (const status of this.#nats.status()) {
      if (status.type === "disconnect") this.#become("disconnected");
      if (status.type === "reconnect") this.#become("connected");
      if (status.type === "error") this.#log.warn({ err: status.error }, "the NATS server refused something");
    }
  }

  #become(state: BusState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#log.warn(state === "connected" ? "the NATS server is connected again" : "the NATS server is not connected");
    for (const listener of this.#stateListeners) listener(state);
  }

  #hear(message: Msg): void {
    const envelope = this.#seal.open(message.data);
    if (envelope?.to !== "*") {
      this.#refuse(message);
      return;
    }
    const signal = BusSignal.safeParse(envelope.body);
    if (signal.success) for (const listener of this.#listeners) listener(signal.data, envelope.from);
    // A newer gateway may send what this one does not know.
    else this.#log.debug({ from: envelope.from }, "a signal was not understood");
  }

  async #reply(message: Msg): Promise<void> {
    const envelope = this.#seal.open(message.data);
    if (!envelope || envelope.to !== this.self) return this.#refuse(message);
    const question = BusQuestion.safeParse(envelope.body);
    const body: BusAnswer = question.success
      ? await this.#answer(question.data, envelope.from).catch(failed)
      : { type: "failed", message: "This gateway does not understand the question; its version differs." };
    message.respond(this.#seal.close({ v: 1, from: this.self, to: envelope.from, body }));
  }

  #refuse({ subject }: Msg): void {
    const isFirst = !this.hasRefusedLately();
    this.#refusedAt = performance.now();
    // A foreign program may send as fast as it likes.
    if (!isFirst) return;
    this.#log.warn(
      { subject },
      "a message on NATS was not signed by a gateway of this cluster; check BELAY_CLUSTER_SECRET on all of them, and who may use the NATS server",
    );
  }
}

function failed(error: unknown): BusAnswer {
  return { type: "failed", message: error instanceof Error ? error.message : String(error) };
}
