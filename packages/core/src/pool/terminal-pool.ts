import type { CommandReport, TerminalId, TerminalInfo } from "@belay/protocol";
import type { Methods, TERMINAL_CALLS } from "./calls.ts";
import type { AskedConnection } from "./requests.ts";

/**
 * Every terminal there is, and all that can be done to one.
 *
 * All of it is async and all arguments are plain values, because the same
 * interface is spoken in process and over a socket: what can be called is in
 * `calls.ts`. It knows nothing of policy: the caller has already decided.
 */
export interface TerminalPool extends Methods<typeof TERMINAL_CALLS> {
  /**
   * Streams output from a position on, at the pace at which the consumer returns, and never before this call does.
   * A terminal that does not exist has ended: the consumer hears that, and nothing else.
   */
  follow(id: TerminalId, fromPosition: number, consumer: OutputConsumer): OutputSubscription;
  subscribe(listener: (event: PoolEvent) => void): () => void;
  /** An open terminal as it was last heard of, without asking its host; null where it was not heard of. */
  lastKnown(id: TerminalId): TerminalInfo | null;
  /** Ends every terminal, then itself. */
  close(): Promise<void>;
}

export interface OutputConsumer {
  /**
   * Called in order, never again before the promise settles. Chunks are at most 64 KB.
   * Consumers at the same position share the bytes: read them, do not change or transfer them.
   */
  onOutput(slice: { position: number; bytes: Uint8Array }): void | Promise<void>;
  /** It copies what it needs before it returns from `onOutput`: the bytes need not stay as they are. */
  readonly takesViews?: boolean;
  /** The consumer was slower than the ring: these bytes are gone. */
  onGap(gap: { from: number; to: number }): void;
  /** After the last byte. */
  onEnd(end: { position: number; exitCode: number | null }): void;
}

export interface OutputSubscription {
  stop(): void;
}

export type PoolEvent =
  | { type: "created"; terminal: TerminalInfo }
  | { type: "changed"; terminal: TerminalInfo }
  | { type: "promoted"; terminal: TerminalInfo }
  /** Comes before its processes are ended, and a second time as `changed` with the exit code. */
  | { type: "closed"; terminal: TerminalInfo }
  | { type: "commandFinished"; report: CommandReport }
  /** Told again to each new listener for as long as it waits. */
  | { type: "connectionAsked"; connection: AskedConnection }
  /** The process that held the terminals is gone; so are they. */
  | { type: "hostLost" };
