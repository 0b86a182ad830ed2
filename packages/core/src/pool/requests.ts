import { AgentId, CloseReason, CommandId, ResourceLimits, TerminalId } from "@belay/protocol";
import { z } from "zod";
import { Account } from "../walls/account.ts";
import { Wall } from "../walls/wall.ts";

/** What is said to terminals and what they answer. The schemas are the source; the types follow from them. */

export const Size = z.object({ cols: z.int().positive(), rows: z.int().positive() });

const Env = z.record(z.string(), z.string());

export const TerminalLimits = z.object({
  /** Null: never closes for silence. */
  idleTimeoutMs: z.number().nullable(),
  /** Null: may run for ever. */
  maxLifetimeMs: z.number().nullable(),
});
export type TerminalLimits = z.infer<typeof TerminalLimits>;

export const SpawnQuota = z.object({
  /** Terminals with the same key share it, such as one agent's background terminals. */
  key: z.string(),
  maxOpen: z.int(),
  maxPerMinute: z.int(),
});
export type SpawnQuota = z.infer<typeof SpawnQuota>;

export const SpawnRequest = z.object({
  id: TerminalId.optional(),
  /** A shell (null: the default one) or an argument list that is executed as it is. */
  program: z.discriminatedUnion("type", [
    z.object({ type: z.literal("shell"), shell: z.string().nullable(), login: z.boolean() }),
    z.object({ type: z.literal("argv"), argv: z.array(z.string()) }),
  ]),
  owner: z.enum(["user", "agent"]),
  visible: z.boolean(),
  agentId: AgentId.nullable(),
  name: z.string().nullable(),
  cwd: z.string(),
  env: Env,
  ...Size.shape,
  limits: TerminalLimits,
  /** The user whose rights its programs get, without a wall; unset: Belay's own. */
  account: Account.optional(),
  /** What its programs may use of the machine; unset: whatever there is. */
  resources: ResourceLimits.optional(),
  /** How many terminals the same agent may have open, this one included; unset: as many as the pool has room for. */
  maxOpenOfAgent: z.int().optional(),
  /** Counts against a limit that the caller names, besides those of the pool. */
  quota: SpawnQuota.optional(),
  /** Name of a registered provider: `local` runs on this machine as it is. */
  provider: z.string(),
  /** What it has of this machine, where the provider builds a wall. */
  wall: Wall.optional(),
});
export type SpawnRequest = z.infer<typeof SpawnRequest>;

/** A program behind a wall wants to connect to where the list does not let it, and waits. */
export const AskedConnection = z.object({
  /** The question is a command of its agent. */
  id: CommandId,
  /** Where the program runs; null where that cannot be told any more. */
  terminalId: TerminalId.nullable(),
  agentId: AgentId.nullable(),
  host: z.string(),
  port: z.int(),
  /** `own`: the name leads to this machine, or to what a cloud keeps for it. */
  kind: z.enum(["public", "private", "own"]),
  /** The program as it was started; empty where it was gone before it could be seen. */
  program: z.array(z.string()),
});
export type AskedConnection = z.infer<typeof AskedConnection>;

export const WaitStrategy = z.discriminatedUnion("type", [
  /** Until it is done or wants something; silence of `idleMs` (null: never) also returns. */
  z.object({ type: z.literal("idle"), idleMs: z.number().nullable(), timeoutMs: z.number() }),
  /** Not before `minMs`; then once `settleMs` passed in silence; never later than `maxMs`. A finished command answers at once. */
  z.object({ type: z.literal("settle"), minMs: z.number(), settleMs: z.number(), maxMs: z.number() }),
  /** Collects for so long, then reports it as `background`. */
  z.object({ type: z.literal("background"), collectMs: z.number() }),
]);
export type WaitStrategy = z.infer<typeof WaitStrategy>;

export const TaskLimits = z.object({
  maxDurationMs: z.number(),
  /** How long it may wait for an answer or sit in a pager before it is ended. */
  maxWaitingMs: z.number(),
});
export type TaskLimits = z.infer<typeof TaskLimits>;

export const RunRequest = z.object({
  commandId: CommandId,
  line: z.string(),
  wait: WaitStrategy,
  /** Where and with what the command runs; unset leaves the shell as it is. */
  cwd: z.string().optional(),
  env: Env.optional(),
  /** The folder (`TerminalInfo.folderId`) that this was judged for: where the kernel tells that the shell is in another, nothing is run. */
  folderId: z.string().optional(),
  /** An unattended task ends when one of these is reached. */
  task: TaskLimits.optional(),
});
export type RunRequest = z.infer<typeof RunRequest>;

export const TypeRequest = z.object({
  text: z.string(),
  /** The readers that the text was judged for: no other process gets a byte. */
  readerPids: z.array(z.int()),
  /** Whether the kernel hands them whole lines. */
  readsLines: z.boolean(),
});
export type TypeRequest = z.infer<typeof TypeRequest>;

export const TypeReport = z.object({
  typedCharacters: z.int(),
  /** Why the rest was kept back: the readers went away or read in another way, or stopped reading for too long. */
  stopped: z.enum(["no", "reader-gone", "reader-busy"]),
});
export type TypeReport = z.infer<typeof TypeReport>;

/** Whose code gets what is typed. */
export const ReaderCode = z.enum([
  /** The terminal's own shell: a line of the agent's. */
  "shell-builtin",
  /** A program that runs a script or whatever it is given: bash, Python, awk. */
  "interpreter",
  /** A program of the system, loaded with nothing that the environment names. */
  "system-program",
  /** A program from elsewhere, which the agent may have built. */
  "other-program",
  /** Another user's, such as sudo. */
  "unknown",
]);
export type ReaderCode = z.infer<typeof ReaderCode>;

/** Who gets what is typed into a terminal at this moment. */
export const KeyboardReader = z.discriminatedUnion("kind", [
  /** The terminal's own shell, at its line editor, or where it cannot be told from it. */
  z.object({ kind: z.literal("prompt") }),
  z.object({
    kind: z.literal("program"),
    /** Those that wait for input now. */
    processes: z.array(
      z.object({
        pid: z.int(),
        /** As it was started, which a program may choose freely. */
        argv: z.array(z.string()),
        /** The file that really runs, as the kernel has it; null where it is another user's. */
        path: z.string().nullable(),
        code: ReaderCode,
      }),
    ),
    /** A `read` of the terminal's own shell, in the middle of a command. */
    isShellBuiltin: z.boolean(),
    /** A password prompt: what is typed is not shown. */
    hidesInput: z.boolean(),
    /** The kernel hands over whole lines; otherwise every key. */
    readsLines: z.boolean(),
  }),
  /** Something runs and reads nothing: what is typed now waits for the next reader. */
  z.object({ kind: z.literal("nobody") }),
  /** It cannot be told here: not Linux, or another user's program. */
  z.object({ kind: z.literal("unknown") }),
]);
export type KeyboardReader = z.infer<typeof KeyboardReader>;

export const ReadRequest = z.object({ fromPosition: z.number(), maxBytes: z.int() });
export type ReadRequest = z.infer<typeof ReadRequest>;

const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

export const OutputSlice = z.object({
  fromPosition: z.int(),
  toPosition: z.int(),
  /** How many bytes between what was asked for and `fromPosition` are gone. */
  missedBytes: z.int(),
  bytes: Bytes,
  /** Position after the last byte that the terminal has printed so far. */
  endPosition: z.int(),
});
export type OutputSlice = z.infer<typeof OutputSlice>;

export const SnapshotRequest = z.object({ scrollbackLines: z.int(), waitsUntilExact: z.boolean().optional() });
export type SnapshotRequest = z.infer<typeof SnapshotRequest>;

/** Everything that a terminal shows after so many bytes of output. */
export const ScreenSnapshot = z.object({
  ...Size.shape,
  position: z.int(),
  title: z.string(),
  /** Whether a full-screen program is up. */
  isAlternate: z.boolean(),
  /** False when output was missed, so that the picture may be wrong. */
  isExact: z.boolean(),
  /** Written to a fresh terminal of this size they bring it into the same state; what comes after `position` follows on them. */
  bytes: Bytes,
});
export type ScreenSnapshot = z.infer<typeof ScreenSnapshot>;

export const KillRequest = z.object({ reason: CloseReason });

export const KillReport = z.object({
  existed: z.boolean(),
  /** Processes that could not be ended. */
  survivors: z.array(z.object({ pid: z.int(), command: z.string() })),
});
export type KillReport = z.infer<typeof KillReport>;
