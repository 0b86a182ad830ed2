import { completeContext, type JudgeContext } from "./context.ts";
import { NETWORK_SINKS } from "./dangers/exfiltration.ts";
import type { Invocation } from "./language/invocation.ts";
import { isKnown } from "./language/values.ts";
import { matchInvocation } from "./match-invocation.ts";
import { normalForm } from "./normal-form.ts";
import { WRAPPERS } from "./programs/wrappers.ts";
import { readCommand } from "./read-command.ts";
import type { Policy } from "./settings/policy.ts";
import { TeamRule } from "./settings/schema.ts";
import { loadSecurityFile } from "./settings/security-file.ts";

/** One part of a compound command, and the rule that would allow it from now on; null with the reason why there is none. */
export interface RuleSuggestion {
  readonly part: string;
  readonly rule: TeamRule | null;
  readonly reason: string;
}

/** "Always" for these would be "always anything". */
const NEVER_ALWAYS =
  /^(sh|bash|dash|zsh|ksh|fish|csh|tcsh|busybox|toybox|python[\d.]*|pypy.*|perl|ruby|node|nodejs|deno|bun|php|lua.*|Rscript|osascript|tclsh|expect|pwsh|powershell|awk|gawk|sed|eval|source|\.|exec|rm|rmdir|unlink|shred|dd|mkfs.*|sudo|su|doas|pkexec|chmod|chown|kill|pkill|killall|xargs|find|parallel|make|npx|bunx|crontab|at|batch|trap|alias|git-shell|vim?|nvim|emacs|gdb|tar|docker|podman|kubectl|mv|cp|ln|tee)$/;

/** Subcommands that only build, check or test the project, so that what follows them does not matter. */
const WORK_VERBS: Readonly<Record<string, RegExp>> = {
  cargo: /^(build|check|test|clippy|fmt|bench|doc)$/,
  go: /^(build|test|vet|fmt)$/,
  dotnet: /^(build|test)$/,
  mix: /^(test|compile|format)$/,
  mvn: /^(test|compile|package|verify)$/,
  gradle: /^(build|test|assemble|check)$/,
  swift: /^(build|test)$/,
  terraform: /^(fmt|validate|plan)$/,
};

/**
 * The narrowest useful rules for "always allow": one for each part of the command that a person was asked about,
 * bound to the program and the arguments that say what it does, never to a program that can do anything.
 */
export function suggestRule(text: string, given: Partial<JudgeContext>, policy: Policy): RuleSuggestion[] {
  const context = completeContext(given, policy.settings.defaultProfile);
  const profile = policy.settings.profiles[context.profile];
  if (profile === undefined) return [];
  const read = readCommand(text, context);
  const asked = read.invocations.filter((invocation) => {
    const decisions = matchInvocation(invocation, context, policy, profile).map(({ decision }) => decision);
    return decisions.includes("ask") || decisions.includes("deny");
  });
  return asked.map((invocation) => suggestFor(invocation, policy));
}

function suggestFor(invocation: Invocation, policy: Policy): RuleSuggestion {
  const part = normalForm(invocation);
  const refusal = whyNot(invocation);
  if (refusal !== null) return { part, rule: null, reason: refusal };

  const verbs = workVerbs(invocation);
  const args = verbs ?? invocation.args.map(({ text }) => text);
  const rule = TeamRule.parse({
    id: `allow-${[invocation.program, ...args]
      .join("-")
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 50)}`,
    decision: "allow",
    reason: "A person chose to always allow this.",
    program: invocation.program,
    args,
    exactArgs: verbs === null,
    match: [part],
  });
  const proved = loadSecurityFile(JSON.stringify({ ...policyOverrides(policy), rules: [rule] }));
  return proved.ok
    ? { part, rule, reason: verbs === null ? "Covers exactly this." : "Covers this subcommand, whatever follows." }
    : { part, rule: null, reason: "No rule covers only this." };
}

function policyOverrides({ settings }: Policy) {
  return { profiles: settings.profiles, defaultProfile: settings.defaultProfile };
}

function whyNot(invocation: Invocation): string | null {
  const { program, args } = invocation;
  if (program === "" || !args.every(({ text }) => isKnown(text))) return "Part of it is not known before it runs.";
  if (NEVER_ALWAYS.test(program) || (WRAPPERS.has(program) && WRAPPERS.get(program)?.verb === undefined))
    return `"${program}" can do anything; it is approved one command at a time.`;
  if (NETWORK_SINKS.has(program)) return `"${program}" talks to the network; it is approved one command at a time.`;
  if (invocation.path.includes("/")) return "A program by its path may be another one tomorrow.";
  if (invocation.effects.some(({ type }) => type !== "read")) return "It writes or deletes files.";
  return null;
}

function workVerbs({ program, args }: Invocation): string[] | null {
  const verb = args[0]?.text ?? "";
  return WORK_VERBS[program]?.test(verb) ? [verb] : null;
}
