import type { ShellKind } from "../shell/hooks.ts";

/** A shell that the kernel found reading its terminal, and what is known about it besides. */
export interface ReadingShell {
  kind: ShellKind;
  /** Whether the process is a shell at all by now: `exec` makes it anything. */
  isShell: boolean;
  /** In its line editor, as opposed to a line that the kernel collects. */
  isEditing: boolean;
  silentMs: number;
  /** Whether its last prompt came with a marker. */
  hasHooks: boolean;
  /** Whether it was started with hooks and has not shown a prompt yet. */
  isStarting: boolean;
  /** What was typed into it and is not known to be done. */
  typed: { line: string; hasStarted: boolean } | null;
  /** Whether it printed anything since. */
  hasReacted: boolean;
  /** Whether an unfinished text was interrupted, and the prompt is still to come. */
  isTakingBack: boolean;
}

export type ShellVerdict =
  /** A command asks something through the shell: `read` and its like. */
  | "question"
  /** It wants the rest of what was typed. */
  | "unfinished"
  /** It slept through an interrupt. */
  | "interrupt-again"
  /** It is back at its prompt, and its hooks are lost. */
  | "prompt"
  | "too-early";

/** By then a marker that is still to come would have come, also on a busy machine. */
const LATE_MARKER_MS = 700;
const LATE_PROMPT_MS = 150;
const READING_BUILTIN = /\b(read|readarray|mapfile|select|vared)\b/;

/** What it means that a shell itself reads the terminal, instead of something that it started. */
export function judgeShell(shell: ReadingShell): ShellVerdict {
  const { typed, silentMs, isTakingBack } = shell;
  if (isTakingBack) return silentMs < LATE_PROMPT_MS ? "too-early" : "interrupt-again";
  if (typed?.hasStarted && (!shell.isShell || isQuestion(shell, typed.line))) return "question";

  // From here on it says that a marker is missing. It may also just be late.
  const expectsMarker = shell.hasHooks || (shell.isStarting && shell.kind !== "other");
  const isUntouched = typed !== null && !shell.hasReacted;
  if (silentMs < LATE_MARKER_MS && (expectsMarker || isUntouched)) return "too-early";
  return shell.hasHooks && shell.isEditing && typed?.hasStarted === false ? "unfinished" : "prompt";
}

/** In its line editor a shell asks only through `read -e` and its like; else it is back at the prompt. */
function isQuestion({ kind, isEditing }: ReadingShell, line: string): boolean {
  return READING_BUILTIN.test(line) || (!isEditing && kind !== "sh" && kind !== "other");
}
