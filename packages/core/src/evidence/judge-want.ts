import type { Evidence } from "@belay/protocol";
import type { KernelView } from "./kernel.ts";

export interface Situation {
  view: KernelView | null;
  /** Whether a full-screen program is using the alternate screen. */
  isFullscreen: boolean;
  /** The last line of output, as a hint where the kernel cannot tell a password from anything else. */
  lastLine: string;
  silentMs: number;
  /** Whether the terminal began with a shell, or with a program of its own. */
  leader: "shell" | "program";
}

export type Judgement =
  | {
      kind: "nothing" | "input" | "secret" | "fullscreen";
      evidence: Evidence;
      /** It polls, and may go on by itself in a moment, as `top` does: too soon to call a person. */
      isBrief?: true;
    }
  /** The shell itself is back at its line editor, whatever became of its hooks. */
  | { kind: "shell-reads"; isEditing: boolean; hidesInput: boolean };

/** A program that polls does so for other reasons too, as `ssh` does; it has to be quiet for longer. */
const POLL_SILENCE_MS = 700;
/** Longer than what repaints itself takes between two pictures. */
const LONG_SILENCE_MS = 5000;
const SECRET_PROMPT = /(pass(word|phrase|code)|\bPIN\b|secret|token|one-time|otp)[^\n]{0,60}[:?>]\s*$/i;

/** What is going on in a terminal that has been silent for a moment. */
export function judgeWant({ view, isFullscreen, lastLine, silentMs, leader }: Situation): Judgement {
  if (!view) return { kind: isFullscreen ? "fullscreen" : "nothing", evidence: "silence" };
  const { foreground, use, modes } = view;
  if (use === "neither") return { kind: isFullscreen ? "fullscreen" : "nothing", evidence: "kernel" };

  const hidesInput = modes?.canonical === true && !modes.echo;
  if (foreground === "leader" && leader === "shell") {
    return use === "unknown"
      ? { kind: "nothing", evidence: "silence" }
      : { kind: "shell-reads", isEditing: modes !== null && !modes.canonical, hidesInput };
  }
  // Another user's program (sudo) does not let itself be looked at, but its terminal does.
  if (hidesInput) return { kind: "secret", evidence: "kernel" };
  if (use === "unknown") return { kind: isFullscreen ? "fullscreen" : "nothing", evidence: "silence" };
  if (use === "polls" && silentMs < POLL_SILENCE_MS) return { kind: "nothing", evidence: "kernel" };
  if (isFullscreen) return { kind: "fullscreen", evidence: "kernel" };
  const isSecret = modes !== null && !modes.echo && SECRET_PROMPT.test(lastLine);
  const isBrief = use === "polls" && !isSecret && silentMs < LONG_SILENCE_MS;
  return { kind: isSecret ? "secret" : "input", evidence: "kernel", ...(isBrief && { isBrief }) };
}
