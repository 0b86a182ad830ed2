import type { Decision, RuleMatch, SafetyLevel } from "@belay/protocol";
import type { JudgeContext } from "./context.ts";
import { rulesFor } from "./dangers/index.ts";
import type { Invocation } from "./language/commands/invocation.ts";
import { display, type Field } from "./language/state/values.ts";
import { isInside } from "./language/words/paths.ts";
import { normalForm } from "./normal-form.ts";
import { programNamed } from "./programs/catalog/index.ts";
import { readUse } from "./programs/effects/read-use.ts";
import { isListed, isQuery, judgeProgram } from "./programs/safe-programs.ts";
import type { CompiledRule, Policy } from "./settings/policy.ts";
import type { Profile, TeamRule } from "./settings/schema.ts";

/** A match with the level to which it raises the verdict. */
export interface Finding extends RuleMatch {
  readonly level: SafetyLevel;
}

/** Everything that the rules, the security file and the lists say about one invocation. */
export function matchInvocation(
  invocation: Invocation,
  context: JudgeContext,
  policy: Policy,
  profile: Profile,
): Finding[] {
  // With `--help` and similar, only the redirections have an effect.
  const subject = isQuery(invocation) ? { ...invocation, program: "", args: [], isTransparent: true } : invocation;
  const builtIn = matchBuiltIn(subject, context, policy, profile);
  let made: string | null = null;
  const form = () => {
    made ??= normalForm(subject);
    return made;
  };
  const fromFile = matchSecurityFile(subject, form, context, policy);
  const level = matchLevel(subject, form, context, policy, profile);
  // What a team's rule allows does not ask again. Blocks of the security file and hard blocks still apply.
  const allowing = fromFile.filter(({ decision }) => decision === "allow");
  if (allowing.length === 0) return [...builtIn, ...level, ...fromFile];
  const allowed = firingRules(subject, form, policy).filter(({ rule }) => rule.decision === "allow");
  // A pattern sees redirections too. A rule with `args` sees only words, so it does not cover a redirection.
  const isPattern = allowed.some(({ rule }) => rule.pattern !== undefined);
  const isRedirected = subject.redirects.length > 0 && !isPattern;
  const isExact = isPattern || allowed.some(({ rule }) => rule.exactArgs || rule.args === undefined);
  const open = [...builtIn, ...level].filter(
    ({ decision, rule }) =>
      decision === "deny" || ((!isExact || isRedirected) && WIDENS.has(rule)) || (isRedirected && OF_FILES.has(rule)),
  );
  return [...open, ...fromFile];
}

/** What a rule for the first arguments does not cover, because its author did not see the other arguments. */
const WIDENS: ReadonlySet<string> = new Set([
  "option-runs-code",
  "unknown-option",
  "outside-workspace",
  "dynamic-argument",
]);

/** Rules about files, which a redirection can trigger. */
const OF_FILES: ReadonlySet<string> = new Set(["sensitive-read", "other-terminal"]);

function matchBuiltIn(invocation: Invocation, context: JudgeContext, policy: Policy, profile: Profile): Finding[] {
  const findings: Finding[] = [];
  for (const rule of rulesFor(invocation.program)) {
    if (rule.needsEffects && invocation.effects.length === 0) continue;
    if (!rule.fires(invocation, context, policy.settings.ordinaryWork)) continue;
    findings.push({
      rule: rule.id,
      layer: rule.layer,
      decision: rule.decision === "deny" ? "deny" : profileDecision(profile, rule.level),
      reason: rule.reason,
      level: rule.level,
      span: invocation.span,
    });
  }
  return findings;
}

function matchSecurityFile(
  invocation: Invocation,
  form: () => string,
  context: JudgeContext,
  policy: Policy,
): Finding[] {
  const findings: Finding[] = [];
  const add = (rule: string, decision: Decision, reason: string, layer: RuleMatch["layer"] = "security-file") =>
    findings.push({ rule, layer, decision, reason, level: levelOf(decision), span: invocation.span });

  if (isListed(policy.blocked, invocation))
    add("blocked-command", "deny", `"${invocation.program}" is blocked by the security file.`);
  for (const source of policy.denyPatterns.matching(invocation.program, form))
    add("deny-pattern", "deny", `Matches the blocked pattern ${source}.`);
  for (const source of policy.approvalPatterns.matching(invocation.program, form))
    add("approval-pattern", "ask", `Matches the approval pattern ${source}.`, "approval");
  for (const { rule } of firingRules(invocation, form, policy)) {
    const applies =
      (rule.profiles?.includes(context.profile) ?? true) && (rule.surfaces?.includes(context.surface) ?? true);
    if (applies) add(rule.id, rule.decision, rule.reason);
  }
  for (const { type, path, paths, mayWrite } of invocation.effects) {
    if ((type === "read" && !mayWrite) || isReplacement(invocation, path)) continue;
    if (type === "delete" && paths.every((one) => isRebuilt(one, context.workspace))) continue;
    if (!isRedirect(invocation, path) && isToolCache(invocation, paths, context.workspace)) continue;
    const hit = paths.map((one) => policy.protectedPaths(one, context.home)).find((pattern) => pattern !== null);
    const verb = mayWrite ? "May change" : "Changes";
    if (hit !== undefined) add("protected-path", "ask", `${verb} ${display(path.text)}, which is protected (${hit}).`);
  }
  if (context.surface === "spawn") findings.push(...matchSpawn(invocation, policy));
  return findings;
}

const isRedirect = ({ redirects }: Invocation, path: Field): boolean =>
  redirects.some((redirect) => redirect.path === path);

/** `eslint --cache-location node_modules/.cache/eslint`: where tools of the project keep what they computed. */
function isToolCache({ program, args }: Invocation, paths: readonly string[], workspace: string): boolean {
  const known = programNamed(program);
  return (
    paths.length > 0 &&
    paths.every(
      (path) => isInside(path, workspace) && path.split("/node_modules/")[1]?.startsWith(".cache/") === true,
    ) &&
    known !== undefined &&
    readUse(known, program, args).does === "work"
  );
}

/** Package folders can be recreated: an agent may delete them, but not change their contents. */
function isRebuilt(path: string, workspace: string): boolean {
  return path.startsWith(`${workspace}/`) && /\/(node_modules|\.?venv)(\/.*)?$/.test(path);
}

/**
 * `cp .env.example .env`, `mv package.json.tmp package.json`: the file is replaced by its template or a new version.
 */
function isReplacement({ program, args }: Invocation, { text }: Field): boolean {
  if (!/^(cp|mv)$/.test(program)) return false;
  const operands = args.filter((arg) => !arg.text.startsWith("-"));
  const [source, target] = operands;
  if (operands.length !== 2 || source === undefined || target === undefined) return false;
  const suffix = source.text.startsWith(`${target.text}.`) ? source.text.slice(target.text.length + 1) : "";
  return /^(example|sample|template|dist|tmp|new|next)$/.test(suffix) && text.startsWith(target.text);
}

function firingRules(invocation: Invocation, form: () => string, policy: Policy): CompiledRule[] {
  const own = (policy.rulesByProgram.get(invocation.program) ?? []).filter(
    ({ rule, pattern }) => hasArgs(rule, invocation) && (pattern === null || pattern.matching(form()).length > 0),
  );
  const general =
    policy.rulesForAny.length === 0
      ? []
      : policy.anyRulePatterns.matching(form()).flatMap((index) => policy.rulesForAny[index] ?? []);
  return [...own, ...general.filter(({ rule }) => hasArgs(rule, invocation))];
}

function hasArgs({ args = [], exactArgs }: TeamRule, invocation: Invocation): boolean {
  if (exactArgs && invocation.args.length !== args.length) return false;
  return args.every((word, at) => invocation.args[at]?.text === word);
}

/** What may not be started in the background (B4). */
function matchSpawn(invocation: Invocation, policy: Policy): Finding[] {
  const { spawn } = policy.settings;
  const found: string[] = [];
  const name = invocation.program.replace(/^mkfs\..*/, "mkfs");
  if (isListed(policy.spawnBlocked, { ...invocation, program: name }))
    found.push(`"${invocation.program}" may not be started in the background.`);
  if (
    spawn.blockDeviceWrites &&
    invocation.effects.some(
      ({ type, path }) => type !== "read" && /^\/dev\/(?!null$|fd\/|stdout$|stderr$)/.test(path.text),
    )
  ) {
    found.push("Writing to a device may not be started in the background.");
  }
  return found.map((reason) => ({
    rule: "spawn-blocked",
    layer: "security-file",
    decision: "deny",
    reason,
    level: "blocked",
    span: invocation.span,
  }));
}

function matchLevel(
  invocation: Invocation,
  form: () => string,
  context: JudgeContext,
  policy: Policy,
  profile: Profile,
): Finding[] {
  if (invocation.isTransparent || invocation.program === "") return [];
  const { span } = invocation;
  const findings: Finding[] = [];
  const dangerous = policy.dangerousPatterns.matching(invocation.program, form)[0];
  if (dangerous !== undefined) {
    const reason = `Is on the list of dangerous commands (${dangerous}).`;
    findings.push({
      rule: "dangerous-command",
      layer: "level",
      decision: profileDecision(profile, "dangerous"),
      reason,
      level: "dangerous",
      span,
    });
  }
  const { level, rule, reason, isUnlisted } = judgeProgram(invocation, context, policy);
  const usual = profileDecision(profile, level);
  // What nobody has described may do anything: a profile that runs the unknown still asks about it as about a danger.
  const decision = isUnlisted && usual === "allow" ? profileDecision(profile, "dangerous") : usual;
  if (level !== "safe") findings.push({ rule, layer: "level", decision, reason, level, span });
  return findings;
}

export function profileDecision(profile: Profile, level: SafetyLevel): Decision {
  return level === "blocked" ? "deny" : profile[level];
}

function levelOf(decision: Decision): SafetyLevel {
  return decision === "deny" ? "blocked" : decision === "ask" ? "dangerous" : "safe";
}
