import type { IncomingHttpHeaders } from "node:http";
import { CoreError, type CoreErrorCode } from "@belay/core";
import { initTRPC, TRPCError } from "@trpc/server";
import { GatewayError, type GatewayErrorCode } from "../../errors.ts";
import type { Gateway } from "../../gateway.ts";
import { type Caller, hasRole } from "../../people/caller.ts";
import type { Role } from "../../people/person.ts";
import { RelayedFailure } from "../relay/relay.ts";
import { relayCallsOf } from "../relay/relay-calls.ts";

interface Context {
  caller: Caller;
  gateway: Gateway;
  headers: IncomingHttpHeaders;
}

/** Who may call a procedure, in words, for the generated reference. */
export interface ProcedureMeta {
  needs: string;
  /** The least role of a person who may; null if a role makes no difference. */
  role: Role | null;
}

const t = initTRPC
  .context<Context>()
  .meta<ProcedureMeta>()
  .create({
    sse: { ping: { enabled: true, intervalMs: 15_000 }, client: { reconnectAfterInactivityMs: 40_000 } },
    errorFormatter: ({ shape, error }) => ({
      ...shape,
      data: { ...shape.data, stack: undefined, reason: reasonOf(error.cause) },
    }),
  });

export const router = t.router;

/** The only place that maps error codes to statuses; a new code does not compile without one. */
const statusOf = {
  "terminal-not-found": "NOT_FOUND",
  "terminal-closed": "CONFLICT",
  "terminal-busy": "CONFLICT",
  "not-agent-owned": "FORBIDDEN",
  "not-borrowed": "CONFLICT",
  "name-taken": "CONFLICT",
  "pool-full": "TOO_MANY_REQUESTS",
  "quota-full": "TOO_MANY_REQUESTS",
  "spawn-rate-exceeded": "TOO_MANY_REQUESTS",
  "spawn-failed": "INTERNAL_SERVER_ERROR",
  "shell-not-found": "BAD_REQUEST",
  "cwd-not-found": "BAD_REQUEST",
  "folder-changed": "CONFLICT",
  "env-refused": "CONFLICT",
  "preview-unavailable": "PRECONDITION_FAILED",
  "incomplete-command": "BAD_REQUEST",
  "command-too-long": "PAYLOAD_TOO_LARGE",
  "command-not-found": "NOT_FOUND",
  "input-full": "TOO_MANY_REQUESTS",
  "pool-closed": "SERVICE_UNAVAILABLE",
  "host-lost": "SERVICE_UNAVAILABLE",
  "host-hung": "SERVICE_UNAVAILABLE",
  "host-refused": "SERVICE_UNAVAILABLE",
  "host-incompatible": "SERVICE_UNAVAILABLE",
  "host-failed": "SERVICE_UNAVAILABLE",
  "host-running": "CONFLICT",
  "machine-away": "SERVICE_UNAVAILABLE",
  "machine-not-found": "NOT_FOUND",
  "call-late": "SERVICE_UNAVAILABLE",
  "join-refused": "FORBIDDEN",
  "machine-exists": "CONFLICT",
  "not-on-this-machine": "FORBIDDEN",
  "agent-not-found": "NOT_FOUND",
  "agent-exists": "CONFLICT",
  "isolation-unavailable": "PRECONDITION_FAILED",
  "provider-not-found": "NOT_FOUND",
  "too-many-terminals": "TOO_MANY_REQUESTS",
  "bad-request": "BAD_REQUEST",
  "bad-token": "UNAUTHORIZED",
  "setup-link-used": "FORBIDDEN",
  "too-many-tries": "TOO_MANY_REQUESTS",
  "needs-a-person": "UNAUTHORIZED",
  "weak-password": "BAD_REQUEST",
  "person-exists": "CONFLICT",
  "person-not-found": "NOT_FOUND",
  "last-admin": "CONFLICT",
  "invitation-not-found": "NOT_FOUND",
  "session-not-found": "NOT_FOUND",
  "terminal-not-yours": "FORBIDDEN",
  "approval-not-found": "NOT_FOUND",
  "no-preview": "CONFLICT",
  "already-settled": "CONFLICT",
  "no-command-waits": "CONFLICT",
  "already-voted": "CONFLICT",
  "not-an-approver": "FORBIDDEN",
  "edit-denied": "FORBIDDEN",
  "no-longer-allowed": "CONFLICT",
  "agent-frozen": "CONFLICT",
  "edit-needs-one-approver": "CONFLICT",
  "no-rule-for-always": "BAD_REQUEST",
  "policy-changed": "CONFLICT",
  "policy-broken": "BAD_REQUEST",
  "policy-version-not-found": "NOT_FOUND",
  "proposal-not-found": "NOT_FOUND",
  "nothing-reads": "CONFLICT",
  "not-run": "FORBIDDEN",
  "no-changes-known": "NOT_FOUND",
  "already-running": "CONFLICT",
  "share-not-found": "NOT_FOUND",
  "recording-not-found": "NOT_FOUND",
  "bad-webhook": "BAD_REQUEST",
  "webhook-not-found": "NOT_FOUND",
  "not-asking": "CONFLICT",
  "asked-by-agent": "FORBIDDEN",
  "record-not-written": "INTERNAL_SERVER_ERROR",
  "record-not-whole": "CONFLICT",
  "port-not-reachable": "CONFLICT",
  "port-not-offered": "PRECONDITION_FAILED",
  "port-taken": "INTERNAL_SERVER_ERROR",
  "data-dir-not-writable": "INTERNAL_SERVER_ERROR",
  "key-damaged": "INTERNAL_SERVER_ERROR",
  "database-damaged": "INTERNAL_SERVER_ERROR",
  "database-newer": "INTERNAL_SERVER_ERROR",
  "database-not-usable": "INTERNAL_SERVER_ERROR",
  "backup-unreadable": "BAD_REQUEST",
  "not-empty": "CONFLICT",
  "gateway-silent": "GATEWAY_TIMEOUT",
  "gateway-deaf": "SERVICE_UNAVAILABLE",
  "gateway-elsewhere": "SERVICE_UNAVAILABLE",
  "gateway-not-found": "NOT_FOUND",
  "gateway-retired": "CONFLICT",
  "bus-not-reachable": "SERVICE_UNAVAILABLE",
} satisfies Record<CoreErrorCode | GatewayErrorCode, TRPCError["code"]>;

/** Passes a call on to the gateway that holds what it is about, or puts the answers of all gateways together. */
const placed = t.middleware(async ({ ctx, path, type, getRawInput, next }) => {
  const calls = relayCallsOf(ctx.gateway, ctx.headers);
  if (!calls) return next();
  const call = { path, type, caller: ctx.caller, getInput: getRawInput };
  const elsewhere = await calls.elsewhere(call);
  if (elsewhere) return { ...ANSWERED, data: elsewhere.data };
  const result = await next();
  return result.ok ? { ...result, data: await calls.everywhere(result.data, call) } : result;
});

/** The form of a middleware's own answer, which tRPC gives no other way to make. */
const ANSWERED = { ok: true, marker: "middlewareMarker" as never } as const;

const translated = t.procedure
  .use(async ({ next }) => {
    const result = await next();
    if (result.ok) return result;
    const cause = result.error.cause;
    if (cause instanceof RelayedFailure) {
      throw new TRPCError({ code: cause.code as TRPCError["code"], message: cause.message, cause });
    }
    if (cause instanceof CoreError || cause instanceof GatewayError) {
      throw new TRPCError({ code: statusOf[cause.code], message: cause.message, cause });
    }
    return result;
  })
  .use(placed);

export const publicProcedure = translated.meta({ needs: "nothing", role: null });

/** For a signed-in person with at least this role. */
export function procedureFor(role: Role) {
  return translated
    .meta({ needs: role, role })
    .use(({ ctx, next }) => next({ ctx: { ...ctx, caller: personWith(role, ctx.caller) } }));
}

/**
 * For set-up and reading: a person with this role, or a script that can read the control token, which could read
 * the data folder as well. Never for answering approvals, loosening the policy or widening anyone's rights.
 */
export function setUpProcedureFor(role: Role) {
  return translated.meta({ needs: `${role}, or the control token`, role }).use(({ ctx, next }) => {
    const caller = ctx.caller.type === "local" ? ctx.caller : personWith(role, ctx.caller);
    return next({ ctx: { ...ctx, caller } });
  });
}

/**
 * For set-up and recovery: a person with this role, or the owner of the data folder while Belay is stopped or
 * has no admin yet. With the gateway running and an admin present, the control token does not make a client an admin.
 */
export function recoveryProcedureFor(role: Role) {
  return translated.meta({ needs: `${role}, or the owner while Belay is stopped`, role }).use(async ({ ctx, next }) => {
    const { caller, gateway } = ctx;
    const isOwner = caller.type === "local" && (caller.isStopped || !(await gateway.people.hasAdmin()));
    return next({ ctx: { ...ctx, caller: isOwner ? caller : personWith(role, caller) } });
  });
}

function personWith(role: Role, caller: Caller): Extract<Caller, { type: "person" }> {
  if (caller.type === "local") {
    throw new TRPCError({
      code: "UNAUTHORIZED",
      message: "This needs a person. Run it in a terminal of your own to give your password, or sign in: belay login",
    });
  }
  if (caller.type !== "person") throw new TRPCError({ code: "UNAUTHORIZED", message: "Sign in first." });
  if (hasRole(caller, role)) return caller;
  throw new TRPCError({ code: "FORBIDDEN", message: `This needs the role ${role}. Ask an admin for it.` });
}

/** For an agent with its token only. */
export const agentProcedure = translated.meta({ needs: "agent", role: null }).use(({ ctx, next }) => {
  const { caller } = ctx;
  if (caller.type !== "agent") {
    throw new TRPCError({ code: "UNAUTHORIZED", message: "Send an agent's token: Authorization: Bearer blt_…" });
  }
  return next({ ctx: { ...ctx, agent: caller.agent } });
});

/** For an agent, or a signed-in person with at least this role. */
export function procedureForAgentOr(role: Role) {
  return translated.meta({ needs: `${role}, or an agent`, role }).use(({ ctx, next }) => {
    const { caller } = ctx;
    if (caller.type === "agent" || (caller.type === "person" && hasRole(caller, role))) {
      return next({ ctx: { ...ctx, caller } });
    }
    const isKnown = caller.type === "person";
    throw new TRPCError({
      code: isKnown ? "FORBIDDEN" : "UNAUTHORIZED",
      message: isKnown ? `This needs the role ${role}. Ask an admin for it.` : "Sign in, or send an agent's token.",
    });
  });
}

function reasonOf(cause: unknown): string | null {
  if (cause instanceof RelayedFailure) return cause.reason;
  return cause instanceof CoreError || cause instanceof GatewayError ? cause.code : null;
}
