import type { Decision, Layer, SafetyLevel } from "@belay/protocol";
import type { Note, NoteKind } from "../language/commands/invocation.ts";
import { display, has, TAINT } from "../language/state/values.ts";

export interface NoteRule {
  readonly id: string;
  readonly layer: Layer;
  readonly decision: Decision;
  readonly level: SafetyLevel;
  readonly reason: string;
  /** The effect is unknown, so no profile can allow it without a person. */
  readonly isFirm?: true;
}

const ask = (id: string, level: "unknown" | "dangerous", reason: string): NoteRule => ({
  id,
  layer: "approval",
  decision: "ask",
  level,
  reason,
});
const firm = (id: string, reason: string): NoteRule => ({ ...ask(id, "dangerous", reason), isFirm: true });
const deny = (id: string, reason: string): NoteRule => ({
  id,
  layer: "hard-block",
  decision: "deny",
  level: "blocked",
  reason,
});

/** Dangers found in inline code of another language. */
const INLINE_DANGERS: Readonly<Record<string, NoteRule>> = {
  "root-wipe": deny("root-wipe", "The inline code deletes the root, a home or a directory of the system."),
  "system-file": deny("system-file", "The inline code changes a security-critical system file."),
  "disk-destruction": deny("disk-destruction", "The inline code writes straight to a disk."),
  "remote-code": deny("remote-code", "The inline code runs code from the network."),
  "encoded-payload": deny("encoded-payload", "The inline code runs decoded data."),
  "reverse-shell": deny("reverse-shell", "The inline code opens a shell to the network."),
  exfiltration: deny("exfiltration", "The inline code sends a secret off this machine."),
  "fork-bomb": deny("fork-bomb", "The inline code starts processes endlessly."),
  "privilege-escalation": deny("privilege-escalation", "The inline code gains the rights of root."),
};

const FIXED: Readonly<Partial<Record<NoteKind, NoteRule>>> = {
  unparseable: firm("unparseable", "This cannot be parsed as shell, so its effect is unknown."),
  incomplete: firm("incomplete", "A quote, bracket or here-document is not closed: the shell would wait for the rest."),
  "too-large": deny("too-large", "The text is larger than 64 KB, which is too much to review."),
  "too-complex": firm("too-complex", "This is nested or repeated too much to be judged."),
  uncovered: firm("uncovered", "A substitution is in a place where it cannot be followed."),
  "control-bytes": firm("control-bytes", "Control bytes change the line in ways that depend on its reader."),
  "invisible-characters": firm(
    "invisible-characters",
    "Invisible or direction-changing characters make this look like something else.",
  ),
  "mixed-scripts": firm("mixed-scripts", "Letters of different alphabets look alike here."),
  "history-expansion": firm("history-expansion", "History expansion runs a command that is not visible here."),
  "dynamic-program": ask("dynamic-program", "unknown", "It is unknown which program this runs."),
  "dynamic-code": ask("dynamic-code", "unknown", "Runs code that is unknown in advance."),
  "printed-set-up": ask("dynamic-code", "unknown", "Runs what a tool prints to set up the shell."),
  "dynamic-input": ask("dynamic-code", "dangerous", "Runs code that comes through a pipe, which no person has read."),
  "inline-code": ask("inline-code", "unknown", "Runs code that is written into the command."),
  "grave-code": ask(
    "inline-code",
    "dangerous",
    "Runs code that is written into the command, which may delete, send or print more than is visible.",
  ),
  "traced-secret": ask(
    "sensitive-read",
    "dangerous",
    "Prints a secret from the environment, because every command is traced.",
  ),
  "brings-unknown": ask(
    "writes-file",
    "unknown",
    "Copies files from outside the workspace among the project's: it is unknown which it brings or replaces.",
  ),
  "unpacks-unknown": ask(
    "writes-file",
    "unknown",
    "Unpacks an archive that is not the project's among other files: it is unknown which it brings or replaces.",
  ),
  "unpacked-code": ask(
    "written-code",
    "dangerous",
    "Runs a project that was just downloaded or unpacked, which no person has read.",
  ),
  "readable-code": ask("inline-code", "unknown", "Runs code that is written into the command."),
  "indirect-expansion": ask("indirect-expansion", "dangerous", "A variable's name comes from an unknown value."),
  "arithmetic-on-data": ask("arithmetic-on-data", "unknown", "Arithmetic on unknown data can run commands."),
  "function-defined": ask("session-state", "unknown", "Defines a function, which changes what later commands mean."),
  "alias-defined": ask("session-state", "unknown", "Defines an alias, which changes what later commands mean."),
  "meaning-removed": ask("session-state", "unknown", "Removes a definition, which changes what later commands mean."),
  "shell-replaced": ask(
    "session-state",
    "dangerous",
    "Takes away what Belay's terminal relies on to tell when a command starts and ends.",
  ),
  "hook-defined": ask("session-state", "dangerous", "Sets a command that will be run later."),
  "startup-variable": ask("session-state", "dangerous", "Sets a variable that decides which code programs load."),
  "remote-database": ask(
    "production-data",
    "dangerous",
    "Gives programs a database on another machine, on which they then work.",
  ),
  "imitated-prompt": firm(
    "imitated-prompt",
    "Imitates another program's prompt, and the agent gets what a person types.",
  ),
  "written-code": ask("written-code", "dangerous", "Runs a file that was written here and whose content is unknown."),
  "own-name": deny("self-protection", "Uses a name that is reserved for Belay's settings or shell hooks."),
  "other-shell": firm("other-shell", "This shell reads it in its own way, which is not analysed, so a person decides."),
  "fork-bomb": deny("fork-bomb", "Starts copies of itself endlessly."),
};

/** The rule for something that the walk noticed; null if it matters only on another surface. */
export function ruleForNote(note: Note): NoteRule | null {
  if (note.kind === "inline-danger") return INLINE_DANGERS[note.detail] ?? null;
  if (note.kind === "tainted-code" || note.kind === "tainted-program") return taintedRule(note);
  return FIXED[note.kind] ?? null;
}

function taintedRule(note: Note): NoteRule {
  const where = display(note.detail);
  if (has(note.taint, TAINT.network)) return deny("remote-code", `Runs code from the network (${where}).`);
  if (has(note.taint, TAINT.encoded)) return deny("encoded-payload", `Runs encoded or transformed data (${where}).`);
  // `env $(cat .env | xargs) npm start`: as a rule its lines are settings, and not names of programs.
  if (note.kind === "tainted-program") return firm("secret-code", "A file of secrets decides which program this runs.");
  return deny("secret-code", `Gives secret data to an interpreter (${where}).`);
}
