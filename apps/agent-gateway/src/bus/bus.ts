import type { BusAnswer, BusQuestion, BusSignal } from "./messages.ts";

/** A change of the connection. After `connected` what was missed meanwhile has to be read from the database. */
export type BusState = "connected" | "disconnected";

/**
 * How gateways reach each other: a signal goes to all of them, a question to one.
 *
 * Nothing that must not be lost depends on it. The database decides and remembers; the bus only says that there is
 * something to read. A gateway hears its own signals too, which is how it notices that the bus works.
 */
export interface Bus {
  /** This gateway. */
  readonly self: string;
  readonly state: BusState;
  /** To every gateway, including this one. Not sent, and not kept, while the bus is disconnected. */
  publish(signal: BusSignal): void;
  subscribe(listener: (signal: BusSignal, from: string) => void): () => void;
  /** To one gateway. Rejects with a `BusError` if it does not answer in time. */
  ask(to: string, question: BusQuestion, timeoutMs: number): Promise<BusAnswer>;
  /** Answers the questions of other gateways. */
  serve(answer: (question: BusQuestion, from: string) => Promise<BusAnswer>): void;
  /** Whether messages arrived in the last minutes that were not signed by a gateway of this cluster. */
  hasRefusedLately(): boolean;
  onState(listener: (state: BusState) => void): () => void;
  close(): Promise<void>;
}

/** The other gateway did not answer, or the bus is disconnected. */
export class BusError extends Error {
  override readonly name = "BusError";
}
