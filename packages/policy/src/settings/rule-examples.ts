import { judge } from "../judge.ts";
import type { Policy } from "./policy.ts";
import type { Problem } from "./problems.ts";
import type { SecuritySettings } from "./schema.ts";

/** Checks the examples of every rule: it must fire on its `match` commands, and not on its `notMatch` ones. */
export function checkRuleExamples(
  settings: SecuritySettings,
  createPolicy: (settings: SecuritySettings) => Policy,
): Problem[] {
  return settings.rules.flatMap((rule, index) => {
    if (rule.match.length + rule.notMatch.length === 0) return [];
    // The rule is tested alone and on every surface, so that other rules cannot hide whether it fires.
    const alone = createPolicy({ ...settings, rules: [rule] });
    const context = {
      profile: rule.profiles?.[0] ?? settings.defaultProfile,
      surface: rule.surfaces?.[0] ?? "execute",
    };
    const fires = (text: string) => judge(text, context, alone).matches.some((match) => match.rule === rule.id);
    const missed = rule.match.flatMap((text, at) =>
      fires(text) ? [] : [example(index, "match", at, `Rule "${rule.id}" does not fire on ${JSON.stringify(text)}.`)],
    );
    const wrong = rule.notMatch.flatMap((text, at) =>
      fires(text) ? [example(index, "notMatch", at, `Rule "${rule.id}" fires on ${JSON.stringify(text)}.`)] : [],
    );
    return [...missed, ...wrong];
  });
}

function example(index: number, list: "match" | "notMatch", at: number, message: string): Problem {
  return { path: ["rules", index, list, at], message, fix: "Change the rule, or correct the example." };
}
