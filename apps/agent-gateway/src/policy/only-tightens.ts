import { isDeepStrictEqual } from "node:util";
import type { Profile, SecuritySettings, TeamRule } from "@belay/policy";
import type { Decision, Isolation, IsolationChoice } from "@belay/protocol";

type Key = keyof SecuritySettings;
type IsStricter<Value> = (before: Value, after: Value) => boolean;

const DECISIONS: Record<Decision, number> = { allow: 0, ask: 1, deny: 2 };
const WALLS: Record<Isolation, number> = { none: 0, sandbox: 1, container: 2 };
const REWRITES: Record<SecuritySettings["rewrites"], number> = { run: 0, offer: 1, off: 2 };

/**
 * How each key of the file can change so that it provably allows nothing more than before. A key that is not listed
 * may not change at all: a change that cannot be proved waits for an admin.
 */
const STRICTER: { [Name in Key]?: IsStricter<SecuritySettings[Name]> } = {
  $schema: () => true,
  commandDenyPatterns: keepsAll,
  commandApprovalPatterns: keepsAll,
  safeCommands: (before, after) => keepsAll(after, before),
  dangerousCommands: keepsAll,
  blockedCommands: keepsAll,
  ordinaryWork: (before, after) =>
    (Object.keys(before) as (keyof typeof before)[]).every((part) => before[part] || !after[part]),
  projectFolders: (before, after) => keepsAll(after, before),
  protectedPaths: keepsAll,
  profiles: (before, after) =>
    Object.entries(before).every(
      ([name, profile]) => after[name] !== undefined && isStricterProfile(profile, after[name]),
    ),
  rules: hasStricterRules,
  spawn: ({ blockedCommands: before, ...checksBefore }, { blockedCommands: after, ...checksAfter }) =>
    keepsAll(before, after) &&
    (Object.keys(checksBefore) as (keyof typeof checksBefore)[]).every(
      (check) => !checksBefore[check] || checksAfter[check],
    ),
  approval: (
    { approvers: before, approversNeeded, ...times },
    { approvers: after, approversNeeded: needed, ...later },
  ) => keepsAll(after, before) && needed >= approversNeeded && isDeepStrictEqual(times, later),
  rewrites: (before, after) => REWRITES[after] >= REWRITES[before],
  isolation: isStricterWall,
};

/** Whether a policy provably allows nothing that the previous one did not, checked key by key. */
export function onlyTightens(before: SecuritySettings, after: SecuritySettings): boolean {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<Key>;
  return [...keys].every((key) => isSameOrStricter(key, before, after));
}

function isSameOrStricter<Name extends Key>(key: Name, before: SecuritySettings, after: SecuritySettings): boolean {
  if (isDeepStrictEqual(before[key], after[key])) return true;
  const isStricter = STRICTER[key] as IsStricter<SecuritySettings[Name]> | undefined;
  return isStricter?.(before[key], after[key]) ?? false;
}

/** `auto` may be any wall, so it is taken for the strongest before and for the weakest after. */
export function isStricterWall(before: IsolationChoice, after: IsolationChoice): boolean {
  return WALLS[after === "auto" ? "sandbox" : after] >= WALLS[before === "auto" ? "container" : before];
}

function keepsAll(before: readonly string[], after: readonly string[]): boolean {
  const kept = new Set(after);
  return before.every((item) => kept.has(item));
}

/** Whether a profile decides nothing more freely than another does. Walls are another matter. */
export function isAtLeastAsStrict(profile: Profile, than: Profile): boolean {
  const levels = ["safe", "unknown", "dangerous"] as const;
  return levels.every((level) => DECISIONS[profile[level]] >= DECISIONS[than[level]]);
}

function isStricterProfile(before: Profile, after: Profile): boolean {
  return (
    isAtLeastAsStrict(after, before) &&
    // If it is missing, the policy's own value applies, which is another key: only equality proves anything.
    (before.isolation === after.isolation ||
      (before.isolation !== undefined &&
        after.isolation !== undefined &&
        isStricterWall(before.isolation, after.isolation)))
  );
}

/** The strictest rule wins, so more bans and questions, and fewer permissions, can only be stricter. */
function hasStricterRules(before: readonly TeamRule[], after: readonly TeamRule[]): boolean {
  const [wasThere, isThere] = [new Set(before.map(effectOf)), new Set(after.map(effectOf))];
  const bansStay = before.every((rule) => rule.decision === "allow" || isThere.has(effectOf(rule)));
  const permissionsAreOld = after.every((rule) => rule.decision !== "allow" || wasThere.has(effectOf(rule)));
  return bansStay && permissionsAreOld;
}

/** A rule without the texts that only people read. */
function effectOf({ reason: _reason, match: _match, notMatch: _notMatch, ...effect }: TeamRule): string {
  return JSON.stringify(Object.entries(effect).sort(([one], [other]) => (one < other ? -1 : 1)));
}
