import { completeContext, type JudgeContext } from "./context.ts";
import { NETWORK_SINKS } from "./dangers/leaks/exfiltration.ts";
import type { Invocation } from "./language/commands/invocation.ts";
import { isKnown } from "./language/state/values.ts";
import { matchInvocation } from "./match-invocation.ts";
import { normalForm } from "./normal-form.ts";
import { programNamed } from "./programs/catalog/index.ts";
import { languageOf } from "./programs/code/languages.ts";
import { SHELL_PROGRAMS } from "./programs/code/shells.ts";
import type { Effect } from "./programs/define-program.ts";
import { readUse } from "./programs/effects/read-use.ts";
import { readCommand } from "./read-command.ts";
import type { Policy } from "./settings/policy.ts";
import { TeamRule } from "./settings/schema.ts";
import { loadSecurityFile } from "./settings/security-file.ts";

/** One part of a compound command, and the rule that would allow it; null with the reason if there is none. */
export interface RuleSuggestion {
  readonly part: string;
  readonly rule: TeamRule | null;
  readonly reason: string;
}

/** Effects that "always allow" must not cover: it would allow anything, or something irreversible. */
const NEVER_ALWAYS: ReadonlySet<Effect> = new Set(["code", "network", "secret", "publish", "destroy"]);

/**
 * The narrowest useful rules for "always allow": one for each part of the command that needed approval. A rule is bound
 * to the program and the arguments that determine what it does. Programs that can do anything get none.
 */
export function suggestRule(text: string, given: Partial<JudgeContext>, policy: Policy): RuleSuggestion[] {
  const context = completeContext(given, policy.settings);
  const profile = policy.settings.profiles[context.profile];
  if (profile === undefined) return [];
  const read = readCommand(text, context);
  const asked = read.invocations.flatMap((invocation) => {
    const findings = matchInvocation(invocation, context, policy, profile).filter(
      ({ decision }) => decision !== "allow",
    );
    const isGrave = findings.some(({ level }) => level === "dangerous" || level === "blocked");
    return findings.length > 0 ? [{ invocation, isGrave }] : [];
  });
  // If only the inner code needed approval, explain for each program why there is no rule for it.
  const parts =
    asked.length > 0
      ? asked
      : read.invocations
          .filter((invocation) => whyNot(invocation) !== null)
          .map((invocation) => ({ invocation, isGrave: false }));
  return parts.map(({ invocation, isGrave }) => suggestFor(invocation, policy, { isGrave }));
}

const TOO_SERIOUS = "Its effect is too serious to be allowed permanently.";

function suggestFor(invocation: Invocation, policy: Policy, { isGrave }: { isGrave: boolean }): RuleSuggestion {
  const part = normalForm(invocation);
  const refusal = whyNot(invocation) ?? (isGrave ? TOO_SERIOUS : null);
  if (refusal !== null) return { part, rule: null, reason: refusal };

  const verb = workVerb(invocation);
  const args = verb === null ? invocation.args.map(({ text }) => text) : [verb];
  const parsed = TeamRule.safeParse({
    id: `allow-${[invocation.program, ...args]
      .join("-")
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 50)
      .replace(/-$/, "")}`,
    decision: "allow",
    reason: "A person chose to always allow this.",
    program: invocation.program,
    args,
    exactArgs: verb === null,
    match: [part],
  });
  if (!parsed.success) return { part, rule: null, reason: "No rule covers only this." };
  const rule = parsed.data;
  const proved = loadSecurityFile(JSON.stringify({ ...policyOverrides(policy), rules: [rule] }));
  return proved.ok
    ? {
        part,
        rule,
        reason: verb === null ? "Covers exactly this." : "Covers this subcommand, unless an option runs code.",
      }
    : { part, rule: null, reason: "No rule covers only this." };
}

function policyOverrides({ settings }: Policy) {
  return { profiles: settings.profiles, defaultProfile: settings.defaultProfile };
}

function whyNot(invocation: Invocation): string | null {
  const { program, args } = invocation;
  if (program === "" || !args.every(({ text }) => isKnown(text))) return "Part of it is unknown in advance.";
  const known = programNamed(program);
  const use = known === undefined ? null : readUse(known, program, args);
  if (languageOf(program) || SHELL_PROGRAMS.has(program) || known?.spec.wraps !== undefined || use?.wraps != null)
    return `"${program}" can do anything; it is approved one command at a time.`;
  if (NETWORK_SINKS.has(program)) return `"${program}" talks to the network; it is approved one command at a time.`;
  if (use !== null && (NEVER_ALWAYS.has(use.does) || use.unknown !== null)) return TOO_SERIOUS;
  if (invocation.path.includes("/")) return "A program given by its path may be replaced later.";
  if (invocation.effects.some(({ type }) => type !== "read")) return "It writes or deletes files.";
  return null;
}

/**
 * For a subcommand that only builds, checks or tests the project, other arguments do not matter, except options that
 * run code.
 */
function workVerb({ program, args }: Invocation): string | null {
  const known = programNamed(program);
  if (known === undefined) return null;
  const { does, verb, verbAt } = readUse(known, program, args);
  return does === "work" && verbAt === 0 && !verb.includes(" ") ? verb : null;
}
