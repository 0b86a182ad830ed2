import type { AgentId, CloseReason, CommandId, CommandReport, TerminalId, TerminalInfo } from "@belay/protocol";
import type { KeyboardReader } from "../evidence/keyboard-reader.ts";
import type { TypeReport, TypeRequest } from "../terminal/type-input.ts";

/**
 * Every terminal there is, and all that can be done to one.
 *
 * All of it is async and all arguments are plain values, because the same
 * interface is spoken in process and over a socket. It knows nothing of policy:
 * whoever calls it has already decided.
 */
export interface TerminalPool {
  spawn(request: SpawnRequest): Promise<TerminalInfo>;
  /** Open terminals only. */
  list(): Promise<TerminalInfo[]>;
  /** Open terminals, and closed ones for as long as their output is kept. */
  get(id: TerminalId): Promise<TerminalInfo>;

  /**
   * Types a command into a shell at its prompt and waits as told. Refuses (`terminal-busy`) while another one runs.
   * An abort ends the wait and leaves the command alone; one that came before types nothing.
   */
  run(id: TerminalId, request: RunRequest, signal?: AbortSignal): Promise<CommandReport>;
  /** Goes on waiting for a command. One that finished long ago answers at once, from what was kept. */
  waitFor(id: TerminalId, commandId: CommandId, wait: WaitStrategy, signal?: AbortSignal): Promise<CommandReport>;

  /** Queues bytes for the program that reads the terminal; refuses (`input-full`) past the cap. */
  write(id: TerminalId, data: string | Uint8Array): Promise<void>;
  /** Who would get what is typed now. */
  reader(id: TerminalId): Promise<KeyboardReader>;
  /** Types for these readers alone, each line only while they wait for it; says how far it came. */
  type(id: TerminalId, request: TypeRequest): Promise<TypeReport>;
  /** Counts as use: what waits for this terminal, such as an approval, keeps it from closing for silence. */
  touch(id: TerminalId): Promise<void>;
  read(id: TerminalId, request: ReadRequest): Promise<OutputSlice>;
  /** The last 64 KB as text, cut at a newline where possible; what follows begins at `endPosition`. */
  history(id: TerminalId, maxBytes: number): Promise<{ text: string; endPosition: number }>;
  /**
   * Streams output from a position on, at the pace at which the consumer returns, and never before this call does.
   * A terminal that does not exist has ended: the consumer hears that, and nothing else.
   */
  follow(id: TerminalId, fromPosition: number, consumer: OutputConsumer): OutputSubscription;

  resize(id: TerminalId, size: { cols: number; rows: number }): Promise<void>;
  /** Hands the terminal to a person, for good. */
  promote(id: TerminalId): Promise<TerminalInfo>;
  /** Ends the terminal and every process of it. A terminal that does not exist is already ended. */
  kill(id: TerminalId, request: { reason: CloseReason }): Promise<KillReport>;

  subscribe(listener: (event: PoolEvent) => void): () => void;
  /** Ends every terminal, then itself. */
  close(): Promise<void>;
}

export interface SpawnRequest {
  id?: TerminalId;
  /** A shell (null: the default one) or an argument list that is executed as it is. */
  program: { type: "shell"; shell: string | null; login: boolean } | { type: "argv"; argv: string[] };
  owner: "user" | "agent";
  visible: boolean;
  agentId: AgentId | null;
  name: string | null;
  cwd: string;
  env: Record<string, string>;
  cols: number;
  rows: number;
  limits: TerminalLimits;
  /** Counts against a limit that the caller names, besides those of the pool. */
  quota?: SpawnQuota;
  /** Name of a registered provider: `local` runs on this machine as it is. */
  provider: string;
}

export interface SpawnQuota {
  /** Terminals with the same key share it, such as one agent's background terminals. */
  key: string;
  maxOpen: number;
  maxPerMinute: number;
}

export interface TerminalLimits {
  /** Null: never closes for silence. */
  idleTimeoutMs: number | null;
  /** Null: may run for ever. */
  maxLifetimeMs: number | null;
}

export interface RunRequest {
  commandId: CommandId;
  line: string;
  wait: WaitStrategy;
  /** Where and with what the command runs; unset leaves the shell as it is. */
  cwd?: string;
  env?: Record<string, string>;
  /** The folder (`TerminalInfo.folderId`) that this was approved for: in any other one nothing is run. */
  folderId?: string;
  /** A task that nobody watches has an end, come what may. */
  task?: TaskLimits;
}

export interface TaskLimits {
  maxDurationMs: number;
  /** How long it may wait for an answer or sit in a pager before it is ended. */
  maxWaitingMs: number;
}

export type WaitStrategy =
  /** Until it is done or wants something; silence of `idleMs` (null: never) also returns. */
  | { type: "idle"; idleMs: number | null; timeoutMs: number }
  /** Not before `minMs`; then once `settleMs` passed in silence; never later than `maxMs`. A finished command answers at once. */
  | { type: "settle"; minMs: number; settleMs: number; maxMs: number }
  /** Collects for so long, then reports it as `background`. */
  | { type: "background"; collectMs: number };

export interface ReadRequest {
  fromPosition: number;
  maxBytes: number;
}

export interface OutputSlice {
  fromPosition: number;
  toPosition: number;
  /** How many bytes between what was asked for and `fromPosition` are gone. */
  missedBytes: number;
  bytes: Uint8Array;
  /** Position after the last byte that the terminal has printed so far. */
  endPosition: number;
}

export interface OutputConsumer {
  /**
   * Called in order, never again before the promise settles. Chunks are at most 64 KB.
   * Consumers at the same position share the bytes: read them, do not change or transfer them.
   */
  onOutput(slice: { position: number; bytes: Uint8Array }): void | Promise<void>;
  /** The consumer was slower than the ring: these bytes are gone. */
  onGap(gap: { from: number; to: number }): void;
  /** After the last byte. */
  onEnd(end: { position: number; exitCode: number | null }): void;
}

export interface OutputSubscription {
  stop(): void;
}

export interface KillReport {
  existed: boolean;
  /** Processes that could not be ended. */
  survivors: { pid: number; command: string }[];
}

export type PoolEvent =
  | { type: "created"; terminal: TerminalInfo }
  | { type: "changed"; terminal: TerminalInfo }
  | { type: "promoted"; terminal: TerminalInfo }
  /** Comes before its processes are ended, and a second time as `changed` with the exit code. */
  | { type: "closed"; terminal: TerminalInfo }
  | { type: "commandFinished"; report: CommandReport }
  /** The process that held the terminals is gone; so are they. */
  | { type: "hostLost" };
