export type CoreErrorCode =
  | "terminal-not-found"
  | "terminal-closed"
  | "terminal-busy"
  | "not-agent-owned"
  | "not-borrowed"
  | "name-taken"
  | "pool-full"
  | "quota-full"
  | "spawn-rate-exceeded"
  | "spawn-failed"
  | "shell-not-found"
  | "cwd-not-found"
  | "folder-changed"
  | "env-refused"
  | "preview-unavailable"
  | "incomplete-command"
  | "command-too-long"
  | "command-not-found"
  | "input-full"
  | "port-not-reachable"
  | "pool-closed"
  | "host-lost"
  | "host-hung"
  | "host-refused"
  | "host-incompatible"
  | "host-failed"
  | "host-running"
  | "machine-away"
  | "machine-not-found"
  | "call-late"
  | "join-refused";

/** A request that cannot be served. Callers branch on `code`; the message names the thing and what to do. */
export class CoreError extends Error {
  override readonly name = "CoreError";
  readonly code: CoreErrorCode;

  constructor(code: CoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
