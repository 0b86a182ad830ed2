import type { HookClient } from "@belay/protocol";

/** An event that a client reports by its hook. */
export type HookCall =
  /** It is about to run a command in its own shell. */
  | { event: "before"; line: string; cwd: string | null; session: string | null; callId: string | null }
  /** A command has ended there. */
  | { event: "after"; line: string | null; session: string | null; callId: string | null; exitCode: number | null }
  /** An event that is not about a command. */
  | { event: "other" };

export type HookAnswer =
  /** `editedTo`: a person, or the policy, wants this to run instead. */
  | { decision: "allow"; editedTo: string | null }
  | { decision: "deny"; reason: string }
  /** The client should ask the person at its own screen. */
  | { decision: "ask"; reason: string };

/** The result of a hook's process: its output and exit code. */
export interface HookReply {
  stdout: string;
  stderr: string;
  exitCode: number;
}

/** The format of one client. An invalid call throws; the hook then denies. */
export interface HookForm {
  client: HookClient;
  /** Whether it can ask the person at its own screen, and waits for them. */
  canAsk: boolean;
  /** Whether it can run an edited command instead of its own. */
  canEdit: boolean;
  parse(payload: unknown): HookCall;
  reply(answer: HookAnswer, payload: unknown): HookReply;
}

/** Prints an answer as JSON, or nothing if silence is the answer. */
export function printed(value: object | null): HookReply {
  return { stdout: value === null ? "" : `${JSON.stringify(value)}\n`, stderr: "", exitCode: 0 };
}

/** Most clients treat exit code 2 as a denial, and stderr as the reason. */
export function refusedByExitCode(reason: string): HookReply {
  return { stdout: "", stderr: `${reason}\n`, exitCode: 2 };
}
