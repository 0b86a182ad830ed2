import type { CommandId, CommandReport, TerminalId, TerminalInfo } from "@belay/protocol";
import type { Methods, TERMINAL_CALLS } from "./calls.ts";
import type { AskedConnection, RestoredGitConfig } from "./requests.ts";

/**
 * All terminals, and everything that can be done with one.
 *
 * All methods are async and all arguments are plain values, because the same
 * interface is used in process and over a socket: `calls.ts` defines its calls.
 * It knows nothing of policy: the caller has already decided.
 */
export interface TerminalPool extends Methods<typeof TERMINAL_CALLS> {
  /**
   * Streams output from a position on, at the pace of the consumer, and never before this call returns.
   * A terminal that does not exist counts as ended: the consumer is told only that.
   */
  follow(id: TerminalId, fromPosition: number, consumer: OutputConsumer): OutputSubscription;
  subscribe(listener: (event: PoolEvent) => void): () => void;
  /** The last known state of an open terminal, without asking its host; null if none is known. */
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
  /**
   * What it is given: `copies` of its own (unless it says otherwise), `views` that are valid only until
   * `onOutput` returns, or `slabs`, which it must `keep` and `letGo` of.
   */
  readonly takes?: "copies" | "views" | "slabs";
  /** The consumer was slower than the ring buffer: these bytes are gone. */
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
  /** Sent before its processes are ended, and followed by `changed` with the exit code. */
  | { type: "closed"; terminal: TerminalInfo }
  | { type: "commandFinished"; report: CommandReport }
  /** Repeated to each new listener while it waits. */
  | { type: "connectionAsked"; connection: AskedConnection }
  /** Its program has ended or given up. Repeated to each new listener until the connection is answered. */
  | { type: "connectionGone"; id: CommandId }
  /** A program behind a wall changed git's settings so that git would run something outside it; that was reverted. */
  | { type: "gitConfigRestored"; restored: RestoredGitConfig }
  /** The process that held the terminals has died, and they with it. */
  | { type: "hostLost" };
