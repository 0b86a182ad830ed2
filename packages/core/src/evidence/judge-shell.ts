import type { ShellKind } from "../shell/hooks.ts";

/** A shell that reads its terminal according to the kernel, and what else is known about it. */
export interface ReadingShell {
  kind: ShellKind;
  /** Whether the process is still a shell: `exec` can make it any program. */
  isShell: boolean;
  /** In its line editor, as opposed to canonical mode, in which the kernel collects the line. */
  isEditing: boolean;
  silentMs: number;
  /** Whether its last prompt came with a marker. */
  hasHooks: boolean;
  /** Whether it was started with hooks and has not shown a prompt yet. */
  isStarting: boolean;
  /** What was typed into it and has not been confirmed as done. */
  typed: { line: string; hasStarted: boolean } | null;
  /** Whether it has printed anything since. */
  hasReacted: boolean;
  /** Whether an unfinished text was interrupted, and the prompt has not come yet. */
  isTakingBack: boolean;
}

export type ShellVerdict =
  /** A command asks for input through the shell: `read` and similar. */
  | "question"
  /** It waits for the rest of the typed text. */
  | "unfinished"
  /** It missed an interrupt. */
  | "interrupt-again"
  /** It is back at its prompt, but its hooks are lost. */
  | "prompt"
  | "too-early";

/** Even on a busy machine, a late marker has arrived by then. */
const LATE_MARKER_MS = 700;
const LATE_PROMPT_MS = 150;
/**
 * By then a shell has usually sent a marker for unfinished text. The limit is long, because a command that is only slow
 * to start would be lost.
 */
const UNFINISHED_MS = 2_500;
const READING_BUILTIN = /\b(read|readarray|mapfile|select|vared)\b/;

/** Decides what it means that the shell itself, and not a program that it started, reads the terminal. */
export function judgeShell(shell: ReadingShell): ShellVerdict {
  const { typed, silentMs, isTakingBack } = shell;
  if (isTakingBack) return silentMs < LATE_PROMPT_MS ? "too-early" : "interrupt-again";
  if (typed?.hasStarted && (!shell.isShell || isQuestion(shell, typed.line))) return "question";

  // From here on, a marker is missing or only late.
  const expectsMarker = shell.hasHooks || (shell.isStarting && shell.kind !== "other");
  const isUntouched = typed !== null && !shell.hasReacted;
  if (silentMs < LATE_MARKER_MS && (expectsMarker || isUntouched)) return "too-early";
  if (!shell.hasHooks || !shell.isEditing || typed?.hasStarted !== false) return "prompt";
  return silentMs < UNFINISHED_MS ? "too-early" : "unfinished";
}

/** In its line editor a shell asks only through `read -e` and similar; otherwise it is back at the prompt. */
function isQuestion({ kind, isEditing }: ReadingShell, line: string): boolean {
  return READING_BUILTIN.test(line) || (!isEditing && kind !== "sh" && kind !== "other");
}
