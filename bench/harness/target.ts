/** A shell on one of the compared servers, with one viewer that may type. */
export interface Session {
  /** Calls back for every chunk of output. */
  onBytes(listener: (bytes: Uint8Array) => void): void;
  /** Bytes that this viewer will never get. */
  readonly missedBytes: number;
  type(text: string): void;
  /** Another viewer of the same terminal; null if the server does not support it. */
  watch(): Promise<Watcher> | null;
  close(): Promise<void>;
}

export interface Watcher {
  onBytes(listener: (bytes: Uint8Array) => void): void;
  readonly missedBytes: number;
  /** Stops reading from the socket, like a phone that loses its connection. */
  stall(): void;
  /** Takes no more than this from now on. */
  slowTo(bytesPerSecond: number): void;
  close(): void;
}

/** A server that shows shells in a browser. */
export interface Target {
  readonly name: string;
  /** Its processes; their children count as well. */
  pids(): number[];
  open(): Promise<Session>;
  close(): Promise<void>;
}
