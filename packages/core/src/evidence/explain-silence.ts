import type { Evidence } from "@belay/protocol";
import type { KernelView } from "./kernel.ts";

export interface Situation {
  view: KernelView | null;
  /** Whether a full-screen program is using the alternate screen. */
  isFullscreen: boolean;
  /** The last line of output, as a hint if the kernel cannot tell a password prompt from another. */
  lastLine: string;
  silentMs: number;
  /** Whether the terminal was started with a shell, or with another program. */
  leader: "shell" | "program";
}

export type SilenceReason =
  | {
      kind: "nothing" | "input" | "secret" | "fullscreen";
      evidence: Evidence;
      /** It polls, and may continue by itself in a moment, as `top` does: too early to notify a person. */
      isBrief?: true;
    }
  /** The shell itself reads the terminal, with or without its hooks. */
  | { kind: "shell-reads"; isEditing: boolean; hidesInput: boolean };

/** A program may poll for other reasons, as `ssh` does, so it has to be silent for longer. */
const POLL_SILENCE_MS = 700;
/** Longer than the interval of programs that repaint their screen. */
const LONG_SILENCE_MS = 5000;
const SECRET_PROMPT = /(pass(word|phrase|code)|\bPIN\b|secret|token|one-time|otp)[^\n]{0,60}[:?>]\s*$/i;

/** Why a terminal has been silent for a moment. */
export function explainSilence({ view, isFullscreen, lastLine, silentMs, leader }: Situation): SilenceReason {
  if (!view) return { kind: isFullscreen ? "fullscreen" : "nothing", evidence: "silence" };
  const { foreground, use, modes } = view;
  if (use === "neither") return { kind: isFullscreen ? "fullscreen" : "nothing", evidence: "kernel" };

  const hidesInput = modes?.canonical === true && !modes.echo;
  if (foreground === "leader" && leader === "shell") {
    return use === "unknown"
      ? { kind: "nothing", evidence: "silence" }
      : { kind: "shell-reads", isEditing: modes !== null && !modes.canonical, hidesInput };
  }
  // Another user's program (sudo) cannot be inspected, but its terminal can.
  if (hidesInput) return { kind: "secret", evidence: "kernel" };
  if (use === "unknown") return { kind: isFullscreen ? "fullscreen" : "nothing", evidence: "silence" };
  if (use === "polls" && silentMs < POLL_SILENCE_MS) return { kind: "nothing", evidence: "kernel" };
  if (isFullscreen) return { kind: "fullscreen", evidence: "kernel" };
  const isSecret = modes !== null && !modes.echo && SECRET_PROMPT.test(lastLine);
  const isBrief = use === "polls" && !isSecret && silentMs < LONG_SILENCE_MS;
  return { kind: isSecret ? "secret" : "input", evidence: "kernel", ...(isBrief && { isBrief }) };
}
