import { CommandId, CommandReport, TerminalId, TerminalInfo } from "@belay/protocol";
import { z } from "zod";
import { CALLS, type Method } from "../../pool/calls.ts";
import { AskedConnection, RestoredGitConfig } from "../../pool/requests.ts";
import type { PoolEvent } from "../../pool/terminal-pool.ts";

/**
 * The version of everything after the greeting. Raise `max` with every
 * change, and `min` when older messages are no longer understood. The greeting
 * itself never changes: it is how two versions find out about each other.
 */
export const PROTOCOL: VersionRange = { min: 2, max: 10 };

export const VersionRange = z.object({ min: z.int(), max: z.int() });
export type VersionRange = z.infer<typeof VersionRange>;

/** The environment of new terminals. It comes from the gateway, which may be restarted with another one. */
const Surroundings = z.object({
  baseEnv: z.record(z.string(), z.string()),
  /** The trash for agents' `rm`; null: `rm` is not replaced. */
  trashDir: z.string().nullable(),
  home: z.string(),
});
export type Surroundings = z.infer<typeof Surroundings>;

const Hello = z.object({
  type: z.literal("hello"),
  protocol: VersionRange,
  token: z.string(),
  program: z.string(),
  surroundings: Surroundings,
});

export const ClientMessage = z.discriminatedUnion("type", [
  Hello,
  z.object({
    type: z.literal("call"),
    call: z.int(),
    method: z.enum(Object.keys(CALLS) as [Method, ...Method[]]),
    args: z.array(z.unknown()),
  }),
  /** The client no longer waits for the answer to this call. */
  z.object({ type: z.literal("cancel"), call: z.int() }),
  /** The caller has given this call up: if it has not started, it is not executed. */
  z.object({ type: z.literal("withdraw"), call: z.int() }),
  /** A working host answers this at once. */
  z.object({ type: z.literal("ping") }),
  z.object({ type: z.literal("follow"), stream: z.int(), id: TerminalId, fromPosition: z.number() }),
  z.object({ type: z.literal("unfollow"), stream: z.int() }),
  /** Everything before this position has been consumed. */
  z.object({ type: z.literal("taken"), stream: z.int(), position: z.int() }),
]);
export type ClientMessage = z.infer<typeof ClientMessage>;

const about = { protocol: VersionRange, pid: z.int(), program: z.string(), hostId: z.string() };

export const HostMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("welcome"), version: z.int(), ...about, terminals: z.array(TerminalInfo) }),
  z.object({ type: z.literal("refused"), reason: z.enum(["token", "version"]), ...about, openTerminals: z.int() }),
  z.object({ type: z.literal("pong") }),
  z.object({ type: z.literal("answered"), call: z.int(), value: z.unknown() }),
  z.object({ type: z.literal("failed"), call: z.int(), code: z.string().nullable(), message: z.string() }),
  z.object({
    type: z.literal("event"),
    event: z.discriminatedUnion("type", [
      z.object({ type: z.literal("created"), terminal: TerminalInfo }),
      z.object({ type: z.literal("changed"), terminal: TerminalInfo }),
      z.object({ type: z.literal("promoted"), terminal: TerminalInfo }),
      z.object({ type: z.literal("closed"), terminal: TerminalInfo }),
      z.object({ type: z.literal("commandFinished"), report: CommandReport }),
      z.object({ type: z.literal("connectionAsked"), connection: AskedConnection }),
      z.object({ type: z.literal("connectionGone"), id: CommandId }),
      z.object({ type: z.literal("gitConfigRestored"), restored: RestoredGitConfig }),
    ]),
  }),
  z.object({ type: z.literal("gap"), stream: z.int(), from: z.int(), to: z.int() }),
  z.object({ type: z.literal("ended"), stream: z.int(), position: z.int(), exitCode: z.int().nullable() }),
]);
export type HostMessage = z.infer<typeof HostMessage>;

/** Events that an older gateway does not know, with the version since when they are sent. */
const EVENTS_SINCE: Partial<Record<PoolEvent["type"], number>> = { connectionGone: 10 };

/** Whether a gateway of this version understands an event. */
export function knowsEvent(version: number, { type }: PoolEvent): boolean {
  return version >= (EVENTS_SINCE[type] ?? 0);
}

/** The version that both speak, or null. */
export function commonVersion(ours: VersionRange, theirs: VersionRange): number | null {
  const version = Math.min(ours.max, theirs.max);
  return version >= Math.max(ours.min, theirs.min) ? version : null;
}
