import { compilePathPatterns } from "./path-patterns.ts";
import { compilePatterns, indexPatterns, type PatternIndex, type PatternList } from "./patterns.ts";
import { SecuritySettings, type TeamRule } from "./schema.ts";

/**
 * A security file, compiled for judging. Built once, used for every command.
 * Lists are indexed by program, so that a rule for `kubectl` costs nothing when `ls` is judged.
 */
export interface Policy {
  readonly settings: SecuritySettings;
  readonly denyPatterns: PatternIndex;
  readonly approvalPatterns: PatternIndex;
  readonly dangerousPatterns: PatternIndex;
  /** The pattern that protects a path, or null. */
  readonly protectedPaths: (path: string, home: string) => string | null;
  /** Maps each program to the argument prefixes with which it is safe. An empty prefix means the program itself. */
  readonly safe: ReadonlyMap<string, readonly (readonly string[])[]>;
  readonly blocked: ReadonlyMap<string, readonly (readonly string[])[]>;
  readonly spawnBlocked: ReadonlyMap<string, readonly (readonly string[])[]>;
  readonly rulesByProgram: ReadonlyMap<string, readonly CompiledRule[]>;
  /** Rules without a program; their patterns run as one automaton. */
  readonly rulesForAny: readonly CompiledRule[];
  readonly anyRulePatterns: PatternList;
}

export interface CompiledRule {
  readonly rule: TeamRule;
  readonly pattern: PatternList | null;
}

export function createPolicy(settings: SecuritySettings): Policy {
  const rulesByProgram = new Map<string, CompiledRule[]>();
  const rulesForAny: CompiledRule[] = [];
  for (const rule of settings.rules) {
    if (rule.program === undefined) {
      rulesForAny.push({ rule, pattern: null });
      continue;
    }
    const compiled = { rule, pattern: rule.pattern === undefined ? null : compilePatterns([rule.pattern]) };
    for (const program of [rule.program].flat()) {
      rulesByProgram.set(program, [...(rulesByProgram.get(program) ?? []), compiled]);
    }
  }
  return {
    settings,
    denyPatterns: indexPatterns(settings.commandDenyPatterns),
    approvalPatterns: indexPatterns(settings.commandApprovalPatterns),
    dangerousPatterns: indexPatterns(settings.dangerousCommands),
    protectedPaths: compilePathPatterns(settings.protectedPaths),
    safe: indexCommands(settings.safeCommands),
    blocked: indexCommands(settings.blockedCommands),
    spawnBlocked: indexCommands(settings.spawn.blockedCommands),
    rulesByProgram,
    rulesForAny,
    anyRulePatterns: compilePatterns(rulesForAny.map(({ rule }) => rule.pattern ?? "")),
  };
}

/** The policy without a security file. */
export const defaultPolicy: Policy = createPolicy(SecuritySettings.parse({}));

/** The same policy with additional patterns that deny (A8). Regular expressions from code run on RE2 too. */
export function addBlockedPatterns(policy: Policy, patterns: readonly (string | RegExp)[]): Policy {
  const commandDenyPatterns = [...policy.settings.commandDenyPatterns, ...patterns.map(patternSource)];
  return createPolicy({ ...policy.settings, commandDenyPatterns });
}

/** The same policy with additional patterns that ask (A8). */
export function addApprovalPatterns(policy: Policy, patterns: readonly (string | RegExp)[]): Policy {
  const commandApprovalPatterns = [...policy.settings.commandApprovalPatterns, ...patterns.map(patternSource)];
  return createPolicy({ ...policy.settings, commandApprovalPatterns });
}

function patternSource(pattern: string | RegExp): string {
  if (typeof pattern === "string") return pattern;
  const flags = ["i", "m", "s"].filter((flag) => pattern.flags.includes(flag)).join("");
  return flags === "" ? pattern.source : `(?${flags})${pattern.source}`;
}

function indexCommands(entries: readonly string[]): Map<string, string[][]> {
  const byProgram = new Map<string, string[][]>();
  for (const entry of entries) {
    const [program = "", ...prefix] = entry.trim().split(/\s+/);
    const known = byProgram.get(program);
    if (known) known.push(prefix);
    else byProgram.set(program, [prefix]);
  }
  return byProgram;
}
