import type { ChangeRange, KeyboardReader, SpawnRequest, TaskLimits, WaitStrategy } from "@belay/core";
import { CONNECT } from "@belay/policy";
import { type ClientConversation, type CommandId, quoteWordIfNeeded, type TerminalId } from "@belay/protocol";

/** What an agent wants to do. Every act takes the same path: judged, asked, recorded, run. */
export type Act = RunAct | TypeAct | SpawnAct | OnceAct | ClientAct | UndoAct | ConnectAct;

/** A command for a shell at its prompt. */
export interface RunAct {
  type: "run";
  terminalId: TerminalId;
  line: string;
  cwd?: string;
  env?: Record<string, string>;
  wait: WaitStrategy;
  /** Only shows what it would change, on a copy. */
  isPreview?: true;
  /** Limits for an unattended task. */
  task?: TaskLimits;
}

/** Keys for the program that reads the terminal. */
export interface TypeAct {
  type: "type";
  terminalId: TerminalId;
  text: string;
  /** The reader at the time of the request; the input is judged for it and typed only to it. */
  reader: Extract<KeyboardReader, { kind: "program" }>;
  /** The command that the answer is for; null in a terminal that was started with a program. */
  runningId: CommandId | null;
  wait: WaitStrategy;
}

/** A new terminal with a program or shell that the agent chose. */
export interface SpawnAct {
  type: "spawn";
  terminalId: TerminalId;
  /** `spawn`: in the background, with the limits and blocked programs for that. */
  surface: "spawn" | "execute";
  request: Omit<SpawnRequest, "id" | "agentId" | "provider">;
}

/** A program or script that runs to its end with pipes instead of a terminal. */
export interface OnceAct {
  type: "once";
  program: { type: "argv"; argv: [string, ...string[]] } | { type: "script"; script: string };
  cwd: string;
  env: Record<string, string>;
  stdin: string | null;
  timeoutMs: number;
  maxOutputBytes: number;
}

/** A command in a client's own shell: judged, asked about and recorded here, run there. */
export interface ClientAct extends ClientConversation {
  type: "client";
  line: string;
  cwd: string;
  /** The client's own id for this call; null if it gives none. */
  callId: string | null;
  /** How long the client waits for an answer. */
  answerWithinMs: number;
  /** Whether the client can put the question to the person at its own screen. */
  canAsk: boolean;
}

/** Undoes what an earlier command of the same agent changed. */
export interface UndoAct {
  type: "undo";
  undoneId: CommandId;
  range: ChangeRange;
  /** Only these files, by their ids; null for all. */
  only: string[] | null;
  /** Everything that it writes or removes, as absolute paths: judged by these. */
  paths: string[];
  /** The plan for which this was judged. */
  fingerprint: string;
  /** Skips files that have changed since; otherwise any such file stops the undo. */
  skipsConflicts: boolean;
}

/** More names than this are only counted. */
const NAMED_FILES = 5;

/** A program behind a wall wants to reach a host that is not listed, and waits for the answer. */
export interface ConnectAct {
  type: "connect";
  /** Null if it is a one-shot program, or the terminal is no longer known. */
  terminalId: TerminalId | null;
  host: string;
  port: number;
  /** `own`: the name resolves to this machine, or to a cloud's metadata address. */
  kind: "public" | "private" | "own";
  /** The program's command line. */
  program: string[];
}

/** The text of an act, as shown to a person. */
export function textOf(act: Act): string {
  switch (act.type) {
    case "run":
    case "client":
      return act.line;
    case "type":
      return act.text;
    case "spawn":
      return act.request.program.type === "argv"
        ? act.request.program.argv.map(quoteWordIfNeeded).join(" ")
        : (act.request.program.shell ?? "the default shell");
    case "connect":
      return `${CONNECT} ${act.host}:${act.port}`;
    case "once":
      return act.program.type === "script" ? act.program.script : act.program.argv.map(quoteWordIfNeeded).join(" ");
    case "undo": {
      const named = act.paths.slice(0, NAMED_FILES).map(quoteWordIfNeeded).join(" ");
      const more = act.paths.length > NAMED_FILES ? ` and ${act.paths.length - NAMED_FILES} more` : "";
      return `undo ${act.undoneId}: ${named}${more}`;
    }
  }
}

/** The host and port in the text of a connection; null if it is no connection's. */
export function hostOfConnection(text: string): string | null {
  return text.startsWith(`${CONNECT} `) ? text.slice(CONNECT.length + 1) : null;
}

/** Whether an act only shows what it would change. */
export function isPreview(act: Act): boolean {
  return act.type === "run" && act.isPreview === true;
}

export function terminalOf(act: Act): TerminalId | null {
  return act.type === "once" || act.type === "client" || act.type === "undo" ? null : act.terminalId;
}

/** The act with a person's edited text; null if it consists of more than text. */
export function withText(act: Act, text: string): Act | null {
  switch (act.type) {
    case "run":
    case "client":
      return { ...act, line: text };
    case "type":
      return { ...act, text };
    case "once":
      return act.program.type === "script" ? { ...act, program: { type: "script", script: text } } : null;
    case "spawn":
    case "undo":
    case "connect":
      return null;
  }
}
