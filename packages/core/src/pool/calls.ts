import { AgentId, CommandId, CommandReport, MachineLoad, NamedFile, TerminalId, TerminalInfo } from "@belay/protocol";
import { z } from "zod";
import { Wall } from "../walls/wall.ts";
import { WallPlan } from "../walls/wall-plan.ts";
import {
  KeyboardReader,
  KillReport,
  KillRequest,
  ListeningPort,
  NamingCommand,
  OpenedPort,
  OutputSlice,
  ReadRequest,
  RecordingPartRequest,
  RunRequest,
  ScreenSnapshot,
  ShellState,
  Size,
  SnapshotRequest,
  SpawnRequest,
  TypeReport,
  TypeRequest,
  WaitStrategy,
} from "./requests.ts";

/**
 * Every call to terminals and their host, with its arguments and its result.
 *
 * This table is the only place where a call is defined. The interfaces `TerminalPool` and
 * `TerminalHost`, the host's handlers and its client are all derived from it. Streams (`follow`,
 * `subscribe`) are not here: they have their own messages.
 */

interface CallSpec {
  args: z.ZodTuple;
  result: z.ZodType;
  /** The last argument, or `bytes` of the result, is sent beside the JSON as raw bytes. */
  bytes?: "in" | "out";
  /** The caller may abort its wait. */
  takesSignal?: true;
  /** Its answer may wait a moment, to be sent with the output that the call causes. */
  answersLazily?: true;
  /** The protocol version that introduced it; older hosts do not know it. */
  since?: number;
}

const nothing = z.null().transform((): void => {});
const Data = z.custom<string | Uint8Array>((value) => typeof value === "string" || value instanceof Uint8Array);

export const TERMINAL_CALLS = {
  spawn: { args: z.tuple([SpawnRequest]), result: TerminalInfo },
  /** Open terminals only. */
  list: { args: z.tuple([]), result: z.array(TerminalInfo) },
  /** Open terminals, and closed ones while their output is kept. */
  get: { args: z.tuple([TerminalId]), result: TerminalInfo },

  /**
   * Types a command into a shell at its prompt and waits as requested. Refuses (`terminal-busy`) while another runs.
   * An abort ends the wait but not the command; an abort before the start types nothing.
   */
  run: { args: z.tuple([TerminalId, RunRequest]), result: CommandReport, takesSignal: true },
  /** Continues to wait for a command. A command that finished long ago answers at once, from its stored result. */
  waitFor: { args: z.tuple([TerminalId, CommandId, WaitStrategy]), result: CommandReport, takesSignal: true },

  /** The state of a shell at its prompt. Refuses (`terminal-busy`) during a command, or while a person has it. */
  shellState: { args: z.tuple([TerminalId]), result: ShellState },

  /** Queues bytes for the program that reads the terminal; refuses (`input-full`) above a limit. */
  write: { args: z.tuple([TerminalId, Data]), result: nothing, bytes: "in", answersLazily: true },
  /** Which program would get input typed now. */
  reader: { args: z.tuple([TerminalId]), result: KeyboardReader },
  /** Types only for these readers, each line only while they wait for it; returns how far it got. */
  type: { args: z.tuple([TerminalId, TypeRequest]), result: TypeReport },
  read: { args: z.tuple([TerminalId, ReadRequest]), result: OutputSlice, bytes: "out" },
  /** The last output as text, cut at a newline where possible; the output after it starts at `endPosition`. */
  history: { args: z.tuple([TerminalId, z.int()]), result: z.object({ text: z.string(), endPosition: z.int() }) },

  /** Allows or refuses a waiting connection. False if it is no longer waiting. */
  answerConnection: { args: z.tuple([CommandId, z.object({ isAllowed: z.boolean() })]), result: z.boolean() },

  /** The ports on which its programs listen. */
  ports: { args: z.tuple([TerminalId]), result: z.array(ListeningPort), since: 7 },
  /** Opens a socket to a port on which one of its programs listens; refuses (`port-not-reachable`) any other. */
  openPort: { args: z.tuple([TerminalId, z.int().min(1).max(65_535)]), result: OpenedPort, since: 7 },

  resize: { args: z.tuple([TerminalId, Size]), result: nothing },
  /** Hands the terminal to a person, for good. */
  promote: { args: z.tuple([TerminalId]), result: TerminalInfo },
  /** Hands the terminal to a person temporarily. */
  borrow: { args: z.tuple([TerminalId]), result: TerminalInfo },
  /** Hands it back to the agent. Refused while a program that the person started is running. */
  handBack: { args: z.tuple([TerminalId]), result: TerminalInfo },
  /** Ends the terminal and all of its processes. Succeeds for a terminal that does not exist. */
  kill: { args: z.tuple([TerminalId, KillRequest]), result: KillReport },
} as const satisfies Record<string, CallSpec>;

export const HOST_CALLS = {
  /**
   * The current screen of a terminal; null if the terminal is unknown. During a flood it is approximated from the
   * end of the output and not exact, unless the caller waits until the screen has caught up.
   */
  snapshot: {
    args: z.tuple([TerminalId, SnapshotRequest]),
    result: ScreenSnapshot.nullable(),
    bytes: "out",
  },
  /** Commands that an earlier caller started and whose end it may have missed. */
  unfinished: {
    args: z.tuple([]),
    result: z.object({
      running: z.array(z.object({ commandId: CommandId, terminalId: TerminalId })),
      /** Those that have ended and were not acknowledged, oldest first. */
      finished: z.array(CommandReport),
    }),
  },
  /** Acknowledges that the end of this command is recorded, so that the host can drop it. */
  acknowledge: { args: z.tuple([CommandId]), result: nothing },
  /** Problems of the host while it keeps running, in sentences for people; empty if there are none. */
  problems: { args: z.tuple([]), result: z.array(z.string()) },
  /** The real path of a folder on its machine, and its id; the id is null if the folder does not exist. */
  folder: {
    args: z.tuple([z.string()]),
    result: z.object({ path: z.string(), id: z.string().nullable() }),
    since: 8,
  },
  /** The files on its machine whose content decides what a command does. */
  namedFiles: { args: z.tuple([NamingCommand]), result: z.array(NamedFile), since: 8 },
  /** The current content of such a file, and whether it is unchanged; null if it cannot be read. */
  readNamedFile: {
    args: z.tuple([
      NamedFile,
      z
        .int()
        .min(1)
        .max(4 * 1024 * 1024),
    ]),
    result: z.object({ text: z.string(), isWhole: z.boolean(), hasChanged: z.boolean() }).nullable(),
    since: 8,
  },
  /** A part of a recording's file, and how long the file is; null if there is none. */
  recordingPart: {
    args: z.tuple([TerminalId, RecordingPartRequest]),
    result: z.object({ size: z.int(), bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array) }).nullable(),
    bytes: "out",
    since: 8,
  },
  /** Removes the recording of a closed terminal that was copied elsewhere; false if it has more than these sizes. */
  dropRecording: {
    args: z.tuple([TerminalId, z.object({ raw: z.int(), index: z.int(), gaps: z.int() })]),
    result: z.boolean(),
    since: 8,
  },
  /** A wall as its machine would build it, for a terminal that is started next; or what the machine lacks for it. */
  wallFor: {
    args: z.tuple([WallPlan]),
    result: z.discriminatedUnion("status", [
      z.object({ status: z.literal("ready"), wall: Wall }),
      z.object({ status: z.literal("missing"), reason: z.string(), fix: z.string() }),
    ]),
    since: 9,
  },
  /** The names in the home that an agent has behind its wall, and in its `.config`; null if they cannot be read. */
  wallHomeNames: { args: z.tuple([AgentId]), result: z.array(z.string()).nullable(), since: 9 },
  /** How busy its machine is. */
  load: { args: z.tuple([]), result: MachineLoad, since: 8 },
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

/** The methods defined by a table of calls. */
export type Methods<Specs extends Record<string, CallSpec>> = {
  [Name in keyof Specs]: (...args: Args<Specs[Name]>) => Promise<z.infer<Specs[Name]["result"]>>;
};
