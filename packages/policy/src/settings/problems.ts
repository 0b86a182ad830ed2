import { checkPattern } from "./patterns.ts";
import type { Policy } from "./policy.ts";
import { checkRuleExamples } from "./rule-examples.ts";
import type { SecuritySettings } from "./schema.ts";

export interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly fix: string;
}

/** Semantic errors of a well-formed file. */
export function findProblems(
  settings: SecuritySettings,
  createPolicy: (settings: SecuritySettings) => Policy,
): Problem[] {
  const problems = [
    ...patternProblems(settings),
    ...profileProblems(settings),
    ...approverProblems(settings),
    ...ruleShapeProblems(settings),
    ...isolationProblems(settings),
  ];
  // Examples can be checked only once every pattern compiles, so they come last.
  return problems.length > 0 ? problems : checkRuleExamples(settings, createPolicy);
}

function patternProblems(settings: SecuritySettings): Problem[] {
  const lists = ["commandDenyPatterns", "commandApprovalPatterns", "dangerousCommands"] as const;
  const fromLists = lists.flatMap((list) =>
    settings[list].map((source, index) => ({ path: [list, index] as const, source })),
  );
  const fromRules = settings.rules.flatMap(({ pattern }, index) =>
    pattern === undefined ? [] : [{ path: ["rules", index, "pattern"] as const, source: pattern }],
  );
  return [...fromLists, ...fromRules].flatMap(({ path, source }) => {
    const checked = checkPattern(source);
    if (checked.ok) return [];
    return [{ path, message: checked.message, fix: "Write it without lookaround and backreferences." }];
  });
}

function profileProblems(settings: SecuritySettings): Problem[] {
  const problems: Problem[] = [];
  if (settings.profiles[settings.defaultProfile] === undefined) {
    problems.push({
      path: ["defaultProfile"],
      message: `There is no profile "${settings.defaultProfile}".`,
      fix: `Use one of ${Object.keys(settings.profiles).join(", ")}, or define it under "profiles".`,
    });
  }
  settings.rules.forEach((rule, index) => {
    for (const name of rule.profiles ?? []) {
      if (settings.profiles[name] !== undefined) continue;
      problems.push({
        path: ["rules", index, "profiles"],
        message: `Rule "${rule.id}" names a profile "${name}" that does not exist.`,
        fix: `Use one of ${Object.keys(settings.profiles).join(", ")}.`,
      });
    }
  });
  return problems;
}

/** An approval without approvers would wait forever. */
function approverProblems(settings: SecuritySettings): Problem[] {
  const problems: Problem[] = [];
  const asks = Object.values(settings.profiles).some(
    ({ unknown, dangerous }) => unknown === "ask" || dangerous === "ask",
  );
  if (settings.approval.approvers.length === 0 && asks) {
    problems.push({
      path: ["approval", "approvers"],
      message: "Commands need approval, but no role may answer.",
      fix: 'Name at least one of "operator" and "admin".',
    });
  }
  settings.rules.forEach((rule, index) => {
    if (rule.decision !== "ask" || (rule.approvers ?? settings.approval.approvers).length > 0) return;
    problems.push({
      path: ["rules", index, rule.approvers ? "approvers" : "decision"],
      message: `Rule "${rule.id}" asks, but no role may answer.`,
      fix: 'Name at least one of "operator" and "admin" as approvers, or decide "deny".',
    });
  });
  return problems;
}

/** A container without an image could never start. */
function isolationProblems(settings: SecuritySettings): Problem[] {
  if (settings.container.image !== null) return [];
  const wanted = [
    { path: ["isolation"], isolation: settings.isolation },
    ...Object.entries(settings.profiles).map(([name, { isolation }]) => ({
      path: ["profiles", name, "isolation"],
      isolation: isolation ?? "none",
    })),
  ];
  return wanted.flatMap(({ path, isolation }) =>
    isolation !== "container"
      ? []
      : [
          {
            path,
            message: "Containers need an image, and none is named.",
            fix: 'Name one: "container": { "image": "NAME" }, or use "sandbox".',
          },
        ],
  );
}

function ruleShapeProblems(settings: SecuritySettings): Problem[] {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  settings.rules.forEach((rule, index) => {
    if (rule.program === undefined && rule.pattern === undefined) {
      problems.push({
        path: ["rules", index],
        message: `Rule "${rule.id}" fires on nothing.`,
        fix: 'Give it a "program" or a "pattern".',
      });
    }
    if (seen.has(rule.id)) {
      problems.push({
        path: ["rules", index, "id"],
        message: `Two rules have the id "${rule.id}".`,
        fix: "Rename one.",
      });
    }
    seen.add(rule.id);
  });
  return problems;
}
