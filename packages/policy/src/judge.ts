import type { Decision, Layer, SafetyLevel, Verdict } from "@belay/protocol";
import { rememberForeign } from "./behind-wall/variables.ts";
import { completeContext, type JudgeContext } from "./context.ts";
import { ruleForNote } from "./dangers/notes.ts";
import type { Note } from "./language/commands/invocation.ts";
import type { ShellMemory } from "./language/state/memory.ts";
import { isKnown } from "./language/state/values.ts";
import { type Finding, matchInvocation, profileDecision } from "./match-invocation.ts";
import { mayWrite } from "./may-write.ts";
import { normalForm, pipelineForms } from "./normal-form.ts";
import { programNamed } from "./programs/catalog/index.ts";
import { scriptEffect } from "./programs/names/grave-words.ts";
import { isSetUpScript } from "./programs/names/shell-set-up.ts";
import { type ReadCommand, readCommand } from "./read-command.ts";
import { suggestRewrite } from "./rewrite.ts";
import type { OrdinaryWork } from "./settings/defaults/ordinary-work.ts";
import type { Policy } from "./settings/policy.ts";
import type { Profile } from "./settings/schema.ts";
import { containedByWall } from "./wall.ts";

/** How the text parses as shell: `incomplete` would hang the shell, `invalid` would be refused by it, `too-large` is not parsed. */
export type Syntax = ReadCommand["syntax"];

export interface Judgement extends Verdict {
  readonly syntax: Syntax;
  /** The terminal's memory after this has run. Store it only if it did. */
  readonly memoryAfter: ShellMemory;
  /** False only if it is certain that no file is changed. */
  readonly mayWrite: boolean;
}

/**
 * Judges what a text will run, not how it is spelled.
 *
 * 1. Read it: every program that it would start, with its arguments, files and pipes, and anything unusual.
 * 2. Apply every rule to each of them.
 * 3. The strictest answer wins. The verdict lists all of them.
 */
export function judge(text: string, given: Partial<JudgeContext>, policy: Policy): Judgement {
  const context = completeContext(given, policy.settings);
  const profile = policy.settings.profiles[context.profile];
  if (profile === undefined) return refuseProfile(context, text);

  const read = readCommand(text, context);
  const memoryAfter = rememberForeign(read, context);
  const behindWall = { ...context, memory: memoryAfter };
  const found = [
    ...matchProfile(context.profile, profile, text),
    ...read.invocations.flatMap((invocation) =>
      containedByWall(
        forGuess(invocation, profile, matchInvocation(invocation, context, policy, profile)),
        behindWall,
        policy.settings,
        invocation,
      ),
    ),
    ...read.notes.flatMap((note) => forGuess(note, profile, matchNote(note, context, policy, profile))),
    ...matchWholeText(text, read, policy),
  ];
  const findings = containedByWall(found, behindWall, policy.settings);
  const matches = strictestFirst(findings);
  const first = matches[0];
  // Belay's own files and processes are protected on every surface.
  const isOwn = matches.some(({ rule }) => rule === "self-protection");
  const isRemoteCode = matches.some(({ rule }) => rule === "remote-code");
  return {
    decision: first?.decision ?? profile.safe,
    level: highest(findings.map(({ level }) => level)),
    layer: first?.layer ?? "level",
    matches: matches.map(({ rule, layer, decision, reason, span }) => ({ rule, layer, decision, reason, span })),
    rewrite: isRemoteCode && !isOwn && policy.settings.rewrites !== "off" ? suggestRewrite(read.invocations) : null,
    runs: listRuns(read.invocations),
    syntax: read.syntax,
    memoryAfter,
    mayWrite: mayWrite(read, context),
  };
}

/** The verdict lists at most this many programs, and then says how many more there are. */
const MAX_RUNS = 200;

/** The programs that finally run, in order: `env`, `bash -c`, `xargs` and similar are resolved. */
function listRuns(invocations: ReadCommand["invocations"]): string[] {
  const programs = invocations.filter(({ isTransparent, program }) => !isTransparent && program !== "");
  const forms = [...new Set(programs.slice(0, MAX_RUNS).map(normalForm))];
  return programs.length > MAX_RUNS ? [...forms, `… and ${programs.length - MAX_RUNS} more`] : forms;
}

function refuseProfile(context: JudgeContext, text: string): Judgement {
  const reason = `There is no profile "${context.profile}".`;
  const span = { start: 0, end: text.length };
  const matches = [{ rule: "profile", layer: "profile" as const, decision: "deny" as const, reason, span }];
  return {
    decision: "deny",
    level: "blocked",
    layer: "profile",
    matches,
    rewrite: null,
    runs: [],
    syntax: "complete",
    memoryAfter: context.memory,
    mayWrite: false,
  };
}

/**
 * What may only be a text, such as the input of a test, is not denied for good: a person looks at it, unless the profile
 * denies what is dangerous.
 */
function forGuess(
  { isGuess }: { readonly isGuess?: boolean },
  profile: Profile,
  findings: readonly Finding[],
): readonly Finding[] {
  if (isGuess !== true || profile.dangerous === "deny") return findings;
  return findings.map((finding) =>
    finding.level === "blocked" ? { ...finding, decision: "ask", level: "dangerous" } : finding,
  );
}

/** A profile that runs nothing denies every command (A5). */
function matchProfile(name: string, profile: Profile, text: string): Finding[] {
  if (profile.safe !== "deny") return [];
  const reason = `The profile "${name}" runs nothing.`;
  return [
    {
      rule: "profile",
      layer: "profile",
      decision: "deny",
      reason,
      level: "blocked",
      span: { start: 0, end: text.length },
    },
  ];
}

/** Applies the rules for what the walk noticed. Some of it asks in every profile, because its effect is unknown. */
function matchNote(note: Note, context: JudgeContext, policy: Policy, profile: Profile): Finding[] {
  const { spawn } = policy.settings;
  if (context.surface === "spawn") {
    const isBlocked =
      (note.kind === "substitution" && spawn.blockSubstitution) ||
      (note.kind === "pipe-to-shell" && spawn.blockPipeToShell);
    if (isBlocked) {
      const reason =
        note.kind === "substitution"
          ? "Command substitution may not be started in the background."
          : "A pipe into a shell may not be started in the background.";
      return [
        { rule: "spawn-blocked", layer: "security-file", decision: "deny", reason, level: "blocked", span: note.span },
      ];
    }
  }
  if (isOrdinary(note, context, policy.settings.ordinaryWork)) return [];
  const rule = ruleForNote(note);
  if (rule === null) return [];
  // `. ./deploy.sh`: the name of the script says what it does, as with `bash deploy.sh`.
  const isGrave = note.kind === "dynamic-code" && scriptEffect(note.detail) !== null;
  const wished = rule.decision === "deny" ? "deny" : profileDecision(profile, isGrave ? "dangerous" : rule.level);
  const decision: Decision = rule.isFirm && wished === "allow" ? "ask" : wished;
  return [{ rule: rule.id, layer: rule.layer, decision, reason: rule.reason, level: rule.level, span: note.span }];
}

/** Whether it is everyday shell work that the team allows. */
function isOrdinary({ kind, detail, taint }: Note, context: JudgeContext, ordinary: OrdinaryWork): boolean {
  switch (kind) {
    case "readable-code":
      return ordinary.inlineCode;
    case "function-defined":
    case "alias-defined":
      // The body is judged where it is defined. A function or alias with the name of a known program would change what
      // later commands mean.
      return ordinary.shellSetup && programNamed(detail) === undefined && isKnown(detail) && /^[\w.-]+$/.test(detail);
    case "hook-defined":
      // What it runs is judged where it is set.
      return ordinary.shellSetup && detail === "trap" && taint === 0;
    case "dynamic-code":
      return ordinary.shellSetup && taint === 0 && isSetUpScript(detail, context);
    case "printed-set-up":
      return ordinary.shellSetup;
    default:
      return false;
  }
}

/** Patterns over whole pipelines, and over the raw text if a part of it is unknown. */
function matchWholeText(text: string, read: ReadCommand, policy: Policy): Finding[] {
  if (policy.denyPatterns.size + policy.approvalPatterns.size === 0) return [];
  const isDynamic =
    read.syntax !== "complete" ||
    read.notes.some(({ kind }) => kind.startsWith("dynamic") || kind === "uncovered" || kind === "other-shell");
  const forms = [...pipelineForms(read.invocations), ...(isDynamic ? [text] : [])];
  const span = { start: 0, end: text.length };
  return forms.flatMap((form) => [
    ...policy.denyPatterns.matchingAny(form).map(
      (source): Finding => ({
        rule: "deny-pattern",
        layer: "security-file",
        decision: "deny",
        level: "blocked",
        span,
        reason: `Matches the blocked pattern ${source}.`,
      }),
    ),
    ...policy.approvalPatterns.matchingAny(form).map(
      (source): Finding => ({
        rule: "approval-pattern",
        layer: "approval",
        decision: "ask",
        level: "dangerous",
        span,
        reason: `Matches the approval pattern ${source}.`,
      }),
    ),
  ]);
}

const DECISIONS: readonly Decision[] = ["allow", "ask", "deny"];
const LAYERS: readonly Layer[] = ["profile", "hard-block", "security-file", "approval", "level", "wall"];
const LEVELS: readonly SafetyLevel[] = ["safe", "unknown", "dangerous", "blocked"];

function strictestFirst(findings: readonly Finding[]): Finding[] {
  if (findings.length < 2) return [...findings];
  const unique = new Map<string, Finding>();
  for (const finding of findings) {
    const key = `${finding.rule} ${finding.reason} ${finding.span?.start} ${finding.span?.end}`;
    // A wrapper and the command in it may have the same reason, and not the same decision.
    const before = unique.get(key);
    if (before === undefined || DECISIONS.indexOf(finding.decision) > DECISIONS.indexOf(before.decision))
      unique.set(key, finding);
  }
  return [...unique.values()].sort(
    (a, b) =>
      DECISIONS.indexOf(b.decision) - DECISIONS.indexOf(a.decision) ||
      LAYERS.indexOf(a.layer) - LAYERS.indexOf(b.layer),
  );
}

function highest(levels: readonly SafetyLevel[]): SafetyLevel {
  return levels.reduce((top, level) => (LEVELS.indexOf(level) > LEVELS.indexOf(top) ? level : top), "safe");
}
