import { AgentId, CloseReason, CommandId, ResourceLimits, TerminalId } from "@belay/protocol";
import { z } from "zod";
import { Account } from "../walls/account.ts";
import { Wall } from "../walls/wall.ts";

/** Requests to terminals and their results. The schemas are the source; the types are inferred from them. */

export const Size = z.object({ cols: z.int().positive(), rows: z.int().positive() });

const Env = z.record(z.string(), z.string());

export const TerminalLimits = z.object({
  /** Null: never closes when idle. */
  idleTimeoutMs: z.number().nullable(),
  /** Null: no limit. */
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
  /** A shell (null: the default one) or an argument list that is executed without a shell. */
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
  /** Resource limits of its programs; unset: none. */
  resources: ResourceLimits.optional(),
  /** How many terminals the same agent may have open, including this one; unset: only the pool's limit applies. */
  maxOpenOfAgent: z.int().optional(),
  /** A quota of the caller, in addition to the pool's limits. */
  quota: SpawnQuota.optional(),
  /** The name of a registered provider: `local` runs directly on this machine. */
  provider: z.string(),
  /** Which parts of this machine it sees, if the provider builds a wall. */
  wall: Wall.optional(),
  /** The machine that it starts on; unset: the gateway's own. A host itself is one machine, and ignores it. */
  machine: z.string().optional(),
});
export type SpawnRequest = z.infer<typeof SpawnRequest>;

/** A program behind a wall tries to connect to a host that is not listed, and waits. */
export const AskedConnection = z.object({
  /** The question is treated as a command of its agent. */
  id: CommandId,
  /** The program's terminal; null if it is not known. */
  terminalId: TerminalId.nullable(),
  agentId: AgentId.nullable(),
  host: z.string(),
  port: z.int(),
  /** `own`: the name resolves to this machine, or to a cloud's metadata address. */
  kind: z.enum(["public", "private", "own"]),
  /** The program's command line; empty if it had ended before it could be read. */
  program: z.array(z.string()),
});
export type AskedConnection = z.infer<typeof AskedConnection>;

/** Git settings that were reverted, and the terminals in which they could have been written. */
export const RestoredGitConfig = z.object({
  terminalIds: z.array(TerminalId),
  file: z.string(),
  keys: z.array(z.string()),
});
export type RestoredGitConfig = z.infer<typeof RestoredGitConfig>;

/** A port on which a program of a terminal accepts connections. */
export const ListeningPort = z.object({
  port: z.int(),
  /** The name of its executable, which an agent can choose freely. */
  program: z.string(),
  /** Why it cannot be reached from outside, in a sentence for people; null if it can. */
  closedBecause: z.string().nullable(),
});
export type ListeningPort = z.infer<typeof ListeningPort>;

/** A socket of the host that leads to a port, until the terminal closes. */
export const OpenedPort = z.object({ folder: z.string(), socket: z.string(), program: z.string() });
export type OpenedPort = z.infer<typeof OpenedPort>;

export const WaitStrategy = z.discriminatedUnion("type", [
  /** Until it is done or waits for input; `idleMs` of silence (null: never) also returns. */
  z.object({ type: z.literal("idle"), idleMs: z.number().nullable(), timeoutMs: z.number() }),
  /** At least `minMs`; then until `settleMs` of silence; at most `maxMs`. A finished command answers at once. */
  z.object({ type: z.literal("settle"), minMs: z.number(), settleMs: z.number(), maxMs: z.number() }),
  /** Collects output for this long, then reports it as `background`. */
  z.object({ type: z.literal("background"), collectMs: z.number() }),
]);
export type WaitStrategy = z.infer<typeof WaitStrategy>;

export const TaskLimits = z.object({
  maxDurationMs: z.number(),
  /** How long it may wait for an answer or in a pager before it is ended. */
  maxWaitingMs: z.number(),
});
export type TaskLimits = z.infer<typeof TaskLimits>;

export const RunRequest = z.object({
  commandId: CommandId,
  line: z.string(),
  wait: WaitStrategy,
  /** The folder and variables of the command; unset keeps the shell's. */
  cwd: z.string().optional(),
  env: Env.optional(),
  /** The folder (`TerminalInfo.folderId`) for which the command was judged; if the shell has left it, nothing runs. */
  folderId: z.string().optional(),
  /** An unattended task ends when one of these limits is reached. */
  task: TaskLimits.optional(),
});
export type RunRequest = z.infer<typeof RunRequest>;

export const TypeRequest = z.object({
  text: z.string(),
  /** The readers for which the text was judged: no other process gets a byte. */
  readerPids: z.array(z.int()),
  /** Whether the kernel delivers whole lines to them. */
  readsLines: z.boolean(),
});
export type TypeRequest = z.infer<typeof TypeRequest>;

export const TypeReport = z.object({
  typedCharacters: z.int(),
  /** Why the rest was not typed: the readers ended, changed their mode, or stopped reading for too long. */
  stopped: z.enum(["no", "reader-gone", "reader-busy"]),
});
export type TypeReport = z.infer<typeof TypeReport>;

/** Whose code gets the input. */
export const ReaderCode = z.enum([
  /** The terminal's own shell, running an agent's line. */
  "shell-builtin",
  /** A program that runs a script or other code: bash, Python, awk. */
  "interpreter",
  /** A system program that checks passwords of this machine's accounts, and loads no code named by the environment. */
  "system-program",
  /** A system program that prints, stores or sends what it reads: `cat`, `systemd-ask-password`. */
  "passes-on",
  /** Any other system program. */
  "system-other",
  /** Any other program, which the agent may have built. */
  "other-program",
  /** A program of another user, such as sudo. */
  "unknown",
]);
export type ReaderCode = z.infer<typeof ReaderCode>;

/** Which process gets input typed into a terminal at this moment. */
export const KeyboardReader = z.discriminatedUnion("kind", [
  /** The terminal's own shell, at its line editor, or indistinguishable from it. */
  z.object({ kind: z.literal("prompt") }),
  z.object({
    kind: z.literal("program"),
    /** The processes that wait for input now. */
    processes: z.array(
      z.object({
        pid: z.int(),
        /** Its command line, which a program can choose freely. */
        argv: z.array(z.string()),
        /** The executable according to the kernel; null if it belongs to another user. */
        path: z.string().nullable(),
        code: ReaderCode,
      }),
    ),
    /** A `read` of the terminal's own shell, inside a command. */
    isShellBuiltin: z.boolean(),
    /** A password prompt: typed characters are not shown. */
    hidesInput: z.boolean(),
    /** The kernel delivers whole lines; otherwise single keys. */
    readsLines: z.boolean(),
  }),
  /** A program runs and is not reading: input typed now waits for the next reader. */
  z.object({ kind: z.literal("none") }),
  // What a host with protocol 5 or older sends instead.
  z.object({ kind: z.literal("nobody") }).transform((): { kind: "none" } => ({ kind: "none" })),
  /** Unknown: not Linux, or another user's program. */
  z.object({ kind: z.literal("unknown") }),
]);
export type KeyboardReader = z.infer<typeof KeyboardReader>;

export const ReadRequest = z.object({ fromPosition: z.number(), maxBytes: z.int() });
export type ReadRequest = z.infer<typeof ReadRequest>;

const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

export const OutputSlice = z.object({
  fromPosition: z.int(),
  toPosition: z.int(),
  /** How many of the requested bytes before `fromPosition` are gone. */
  missedBytes: z.int(),
  bytes: Bytes,
  /** The end position of the terminal's output so far. */
  endPosition: z.int(),
});
export type OutputSlice = z.infer<typeof OutputSlice>;

export const SnapshotRequest = z.object({ scrollbackLines: z.int(), waitsUntilExact: z.boolean().optional() });
export type SnapshotRequest = z.infer<typeof SnapshotRequest>;

/** Everything that a terminal shows at a position of its output. */
export const ScreenSnapshot = z.object({
  ...Size.shape,
  position: z.int(),
  title: z.string(),
  /** Whether a full-screen program is active. */
  isAlternate: z.boolean(),
  /** False if output was missed, so that the picture may be wrong. */
  isExact: z.boolean(),
  /** Escape sequences that put a fresh terminal of this size into the same state; output continues from `position`. */
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

/** A command whose named files are to be found. */
export const NamingCommand = z.object({
  text: z.string(),
  /** The programs that will run, in normal form. */
  runs: z.array(z.string()).readonly(),
  argv: z.array(z.string()).readonly().nullable(),
  cwd: z.string(),
  /** The PATH for programs; null: that of the machine's terminals. */
  path: z.string().nullable(),
});
export type NamingCommand = z.infer<typeof NamingCommand>;

export const RecordingPartRequest = z.object({
  file: z.enum(["raw", "index", "gaps"]),
  fromByte: z.int().min(0),
  maxBytes: z
    .int()
    .min(1)
    .max(4 * 1024 * 1024),
});
export type RecordingPartRequest = z.infer<typeof RecordingPartRequest>;

/** The state that a shell reports. */
export const ShellState = z.object({
  kind: z.enum(["bash", "zsh", "fish", "sh", "other"]),
  shellPath: z.string(),
  cwd: z.string(),
  /** Text that the same kind of shell can read; null if this kind reports nothing. */
  text: z.string().nullable(),
  /** What the text does not contain, in words for people. */
  missing: z.array(z.string()),
});
export type ShellState = z.infer<typeof ShellState>;
