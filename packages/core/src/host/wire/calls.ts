import { AgentId, CloseReason, CommandId, CommandReport, TerminalId, TerminalInfo } from "@belay/protocol";
import { z } from "zod";

/** Everything that can be asked of a host, with what it takes and what it gives. Bytes travel beside the JSON. */

const size = { cols: z.int().positive(), rows: z.int().positive() };
const Env = z.record(z.string(), z.string());

const SpawnRequest = z.object({
  id: TerminalId.optional(),
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
  ...size,
  limits: z.object({ idleTimeoutMs: z.number().nullable(), maxLifetimeMs: z.number().nullable() }),
  quota: z.object({ key: z.string(), maxOpen: z.int(), maxPerMinute: z.int() }).optional(),
  provider: z.string(),
});

const WaitStrategy = z.discriminatedUnion("type", [
  z.object({ type: z.literal("idle"), idleMs: z.number().nullable(), timeoutMs: z.number() }),
  z.object({ type: z.literal("settle"), minMs: z.number(), settleMs: z.number(), maxMs: z.number() }),
  z.object({ type: z.literal("background"), collectMs: z.number() }),
]);

const RunRequest = z.object({
  commandId: CommandId,
  line: z.string(),
  wait: WaitStrategy,
  cwd: z.string().optional(),
  env: Env.optional(),
  folderId: z.string().optional(),
  task: z.object({ maxDurationMs: z.number(), maxWaitingMs: z.number() }).optional(),
});

const TypeRequest = z.object({ text: z.string(), readerPids: z.array(z.int()), readsLines: z.boolean() });
const TypeReport = z.object({ typedCharacters: z.int(), stopped: z.enum(["no", "reader-gone", "reader-busy"]) });
const KeyboardReader = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("prompt") }),
  z.object({
    kind: z.literal("program"),
    processes: z.array(
      z.object({
        pid: z.int(),
        argv: z.array(z.string()),
        path: z.string().nullable(),
        code: z.enum(["shell-builtin", "interpreter", "system-program", "other-program", "unknown"]),
      }),
    ),
    isShellBuiltin: z.boolean(),
    hidesInput: z.boolean(),
    readsLines: z.boolean(),
  }),
  z.object({ kind: z.literal("nobody") }),
  z.object({ kind: z.literal("unknown") }),
]);

/** Without its bytes, which come attached. */
const OutputSlice = z.object({
  fromPosition: z.int(),
  toPosition: z.int(),
  missedBytes: z.int(),
  endPosition: z.int(),
});
const ScreenSnapshot = z.object({
  ...size,
  position: z.int(),
  title: z.string(),
  isAlternate: z.boolean(),
  isExact: z.boolean(),
});

const nothing = z.null();

export const CALLS = {
  spawn: { args: z.tuple([SpawnRequest]), result: TerminalInfo },
  list: { args: z.tuple([]), result: z.array(TerminalInfo) },
  get: { args: z.tuple([TerminalId]), result: TerminalInfo },
  run: { args: z.tuple([TerminalId, RunRequest]), result: CommandReport },
  waitFor: { args: z.tuple([TerminalId, CommandId, WaitStrategy]), result: CommandReport },
  write: { args: z.tuple([TerminalId]), result: nothing },
  reader: { args: z.tuple([TerminalId]), result: KeyboardReader },
  type: { args: z.tuple([TerminalId, TypeRequest]), result: TypeReport },
  touch: { args: z.tuple([TerminalId]), result: nothing },
  read: {
    args: z.tuple([TerminalId, z.object({ fromPosition: z.number(), maxBytes: z.int() })]),
    result: OutputSlice,
  },
  history: {
    args: z.tuple([TerminalId, z.int().min(1)]),
    result: z.object({ text: z.string(), endPosition: z.int() }),
  },
  resize: { args: z.tuple([TerminalId, z.object(size)]), result: nothing },
  promote: { args: z.tuple([TerminalId]), result: TerminalInfo },
  kill: {
    args: z.tuple([TerminalId, z.object({ reason: CloseReason })]),
    result: z.object({
      existed: z.boolean(),
      survivors: z.array(z.object({ pid: z.int(), command: z.string() })),
    }),
  },
  snapshot: {
    args: z.tuple([TerminalId, z.object({ scrollbackLines: z.int() })]),
    result: ScreenSnapshot.nullable(),
  },
  unfinished: {
    args: z.tuple([]),
    result: z.object({
      running: z.array(z.object({ commandId: CommandId, terminalId: TerminalId })),
      finished: z.array(CommandReport),
    }),
  },
  acknowledge: { args: z.tuple([CommandId]), result: nothing },
  close: { args: z.tuple([]), result: nothing },
} as const;

export type Method = keyof typeof CALLS;
export type Args<Name extends Method> = z.infer<(typeof CALLS)[Name]["args"]>;
export type Result<Name extends Method> = z.infer<(typeof CALLS)[Name]["result"]>;
