/** A shell on one of the compared servers, with one viewer that holds the keyboard. */
export interface Session {
  /** Calls back for every piece of output, as bytes. */
  onBytes(listener: (bytes: Uint8Array) => void): void;
  /** Bytes that this viewer will never get. */
  readonly missedBytes: number;
  type(text: string): void;
  /** Another viewer of the same terminal; null where the server has no such thing. */
  watch(): Promise<Watcher> | null;
  close(): Promise<void>;
}

export interface Watcher {
  onBytes(listener: (bytes: Uint8Array) => void): void;
  readonly missedBytes: number;
  /** Stops reading from the socket, as a phone in a tunnel does. */
  stall(): void;
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
