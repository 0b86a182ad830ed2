export type GatewayErrorCode =
  | "agent-not-found"
  | "agent-exists"
  | "isolation-unavailable"
  | "provider-not-found"
  | "too-many-terminals"
  | "bad-request"
  | "bad-token"
  | "setup-link-used"
  | "too-many-tries"
  | "needs-a-person"
  | "weak-password"
  | "person-exists"
  | "person-not-found"
  | "last-admin"
  | "invitation-not-found"
  | "session-not-found"
  | "terminal-not-found"
  | "terminal-not-yours"
  | "command-not-found"
  | "no-changes-known"
  | "approval-not-found"
  | "no-preview"
  | "already-settled"
  | "no-command-waits"
  | "already-voted"
  | "not-an-approver"
  | "edit-needs-one-approver"
  | "edit-denied"
  | "no-longer-allowed"
  | "agent-frozen"
  | "no-rule-for-always"
  | "policy-changed"
  | "policy-broken"
  | "policy-version-not-found"
  | "proposal-not-found"
  | "nothing-reads"
  | "not-run"
  | "already-running"
  | "share-not-found"
  | "recording-not-found"
  | "bad-webhook"
  | "webhook-not-found"
  | "not-asking"
  | "asked-by-agent"
  | "record-not-written"
  | "record-not-whole"
  | "port-not-offered"
  | "port-taken"
  | "data-dir-not-writable"
  | "key-damaged"
  | "database-damaged"
  | "database-newer"
  | "backup-unreadable"
  | "not-empty"
  | "gateway-silent";

/** A request that the gateway cannot serve. The message names the thing and what to do. */
export class GatewayError extends Error {
  override readonly name = "GatewayError";
  readonly code: GatewayErrorCode;

  constructor(code: GatewayErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
