import { CommandId, CommandReport, TerminalId, TerminalInfo } from "@belay/protocol";
import { z } from "zod";
import {
  KeyboardReader,
  KillReport,
  KillRequest,
  OutputSlice,
  ReadRequest,
  RunRequest,
  ScreenSnapshot,
  Size,
  SnapshotRequest,
  SpawnRequest,
  TypeReport,
  TypeRequest,
  WaitStrategy,
} from "./requests.ts";

/**
 * Everything that can be asked of terminals and of their host: what it takes and what it gives.
 *
 * This table is the only place where a call is defined. The interfaces `TerminalPool` and
 * `TerminalHost`, the host's handlers and its client all follow from it. What streams (`follow`,
 * `subscribe`) is not here: it has messages of its own.
 */

interface CallSpec {
  args: z.ZodTuple;
  result: z.ZodType;
  /** The last argument, or `bytes` of the result, travels beside the JSON as raw bytes. */
  bytes?: "in" | "out";
  /** The caller may abort its wait. */
  takesSignal?: true;
}

const nothing = z.null().transform((): void => {});
const Data = z.custom<string | Uint8Array>((value) => typeof value === "string" || value instanceof Uint8Array);

export const TERMINAL_CALLS = {
  spawn: { args: z.tuple([SpawnRequest]), result: TerminalInfo },
  /** Open terminals only. */
  list: { args: z.tuple([]), result: z.array(TerminalInfo) },
  /** Open terminals, and closed ones for as long as their output is kept. */
  get: { args: z.tuple([TerminalId]), result: TerminalInfo },

  /**
   * Types a command into a shell at its prompt and waits as told. Refuses (`terminal-busy`) while another one runs.
   * An abort ends the wait and leaves the command alone; one that came before types nothing.
   */
  run: { args: z.tuple([TerminalId, RunRequest]), result: CommandReport, takesSignal: true },
  /** Goes on waiting for a command. One that finished long ago answers at once, from what was kept. */
  waitFor: { args: z.tuple([TerminalId, CommandId, WaitStrategy]), result: CommandReport, takesSignal: true },

  /** Queues bytes for the program that reads the terminal; refuses (`input-full`) past the cap. */
  write: { args: z.tuple([TerminalId, Data]), result: nothing, bytes: "in" },
  /** Who would get what is typed now. */
  reader: { args: z.tuple([TerminalId]), result: KeyboardReader },
  /** Types for these readers alone, each line only while they wait for it; says how far it came. */
  type: { args: z.tuple([TerminalId, TypeRequest]), result: TypeReport },
  read: { args: z.tuple([TerminalId, ReadRequest]), result: OutputSlice, bytes: "out" },
  /** The last bytes, at most so many, as text, cut at a newline where possible; what follows begins at `endPosition`. */
  history: { args: z.tuple([TerminalId, z.int()]), result: z.object({ text: z.string(), endPosition: z.int() }) },

  /** Lets a connection through that waits, or refuses it. False where it does not wait any more. */
  answerConnection: { args: z.tuple([CommandId, z.object({ isAllowed: z.boolean() })]), result: z.boolean() },

  resize: { args: z.tuple([TerminalId, Size]), result: nothing },
  /** Hands the terminal to a person, for good. */
  promote: { args: z.tuple([TerminalId]), result: TerminalInfo },
  /** Hands the terminal to a person until they hand it back. */
  borrow: { args: z.tuple([TerminalId]), result: TerminalInfo },
  /** The agent goes on in a terminal that a person borrowed. Refused while something of the person's runs. */
  handBack: { args: z.tuple([TerminalId]), result: TerminalInfo },
  /** Ends the terminal and every process of it. A terminal that does not exist is already ended. */
  kill: { args: z.tuple([TerminalId, KillRequest]), result: KillReport },
} as const satisfies Record<string, CallSpec>;

export const HOST_CALLS = {
  /**
   * The screen of a terminal as it is; null where nothing is known of it. In the middle of a flood it is drawn from the
   * end of the output and not exact, unless the caller waits until the screen has caught up.
   */
  snapshot: {
    args: z.tuple([TerminalId, SnapshotRequest]),
    result: ScreenSnapshot.nullable(),
    bytes: "out",
  },
  /** What an earlier caller started and may not have heard the end of. */
  unfinished: {
    args: z.tuple([]),
    result: z.object({
      running: z.array(z.object({ commandId: CommandId, terminalId: TerminalId })),
      /** Those that ended and were not acknowledged, oldest first. */
      finished: z.array(CommandReport),
    }),
  },
  /** How this command ended is on record: the host need not keep it any more. */
  acknowledge: { args: z.tuple([CommandId]), result: nothing },
  /** What is wrong at the host while it goes on, in sentences for people; empty when nothing is. */
  problems: { args: z.tuple([]), result: z.array(z.string()) },
  /** Ends every terminal, then the host. */
  close: { args: z.tuple([]), result: nothing },
} as const satisfies Record<string, CallSpec>;

export const CALLS = { ...TERMINAL_CALLS, ...HOST_CALLS };
export type Method = keyof typeof CALLS;

export function specOf(method: Method): CallSpec {
  return CALLS[method];
}

export type UnfinishedCommands = z.infer<typeof HOST_CALLS.unfinished.result>;

type Args<Spec extends CallSpec> = Spec extends { takesSignal: true }
  ? [...z.infer<Spec["args"]>, signal?: AbortSignal]
  : z.infer<Spec["args"]>;

/** The methods that a table of calls stands for. */
export type Methods<Specs extends Record<string, CallSpec>> = {
  [Name in keyof Specs]: (...args: Args<Specs[Name]>) => Promise<z.infer<Specs[Name]["result"]>>;
};
