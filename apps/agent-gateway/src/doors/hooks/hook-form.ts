import type { HookClient } from "@belay/protocol";

/** What a client tells by its hook. */
export type HookCall =
  /** It is about to run a command in a shell of its own. */
  | { event: "before"; line: string; cwd: string | null; session: string | null; callId: string | null }
  /** A command has ended there. */
  | { event: "after"; line: string | null; session: string | null; callId: string | null; exitCode: number | null }
  /** Something that is not a command. */
  | { event: "other" };

export type HookAnswer =
  /** `editedTo`: a person, or the policy, wants this to run in its place. */
  | { decision: "allow"; editedTo: string | null }
  | { decision: "deny"; reason: string }
  /** The client is to ask the person at its own screen. */
  | { decision: "ask"; reason: string };

/** How a hook's process ends: what it prints, and its exit code. */
export interface HookReply {
  stdout: string;
  stderr: string;
  exitCode: number;
}

/** How one client speaks. A call that cannot be read throws; the hook then denies. */
export interface HookForm {
  client: HookClient;
  /** Whether it can ask the person at its own screen, and waits for them. */
  canAsk: boolean;
  /** Whether it runs other words in place of its own. */
  canEdit: boolean;
  parse(payload: unknown): HookCall;
  reply(answer: HookAnswer, payload: unknown): HookReply;
}

/** Prints an answer as JSON, or nothing where silence is the answer. */
export function printed(value: object | null): HookReply {
  return { stdout: value === null ? "" : `${JSON.stringify(value)}\n`, stderr: "", exitCode: 0 };
}

/** Most clients take exit code 2 for a no, and what stands on stderr for the reason. */
export function refusedByExitCode(reason: string): HookReply {
  return { stdout: "", stderr: `${reason}\n`, exitCode: 2 };
}
