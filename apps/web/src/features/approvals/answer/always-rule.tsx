"use client";

import type { ApprovalId } from "@belay/protocol";
import { useQuery } from "@tanstack/react-query";
import { useMe } from "@/features/frame/use-me.ts";
import { useTRPC } from "@/trpc/client.ts";
import { ruleWords } from "../card/rule-words.ts";
import { visibleText } from "../card/visible-text.ts";

/** What "always" would add to the policy, before it does. */
export function AlwaysRule({ id, runsFiles }: { id: ApprovalId; runsFiles: boolean }) {
  const { isAdmin } = useMe();
  const suggestions = useQuery(useTRPC().approvals.suggestRules.queryOptions({ id }));
  if (runsFiles)
    return (
      <p className={`text-sm ${isAdmin ? "text-muted" : "text-danger"}`}>
        It runs files.{" "}
        {isAdmin
          ? "Always covers their present content: a change asks again."
          : "Only an admin can always allow their present content."}
      </p>
    );
  if (suggestions.error) return <p className="text-sm text-danger">{suggestions.error.message}</p>;
  if (!suggestions.data) return <p className="text-sm text-muted">Looking for a rule …</p>;
  const refused = suggestions.data.find(({ rule }) => rule === null);
  if (refused || suggestions.data.length === 0)
    return (
      <p className="text-sm text-danger">
        No rule can always allow this. {refused ? `${visibleText(refused.part)}: ${refused.reason}` : ""}
      </p>
    );
  return (
    <div className="rounded-md border border-line p-3 text-sm">
      <p className="mb-1.5 text-xs font-medium text-muted">
        {isAdmin
          ? "These rules are added to the policy, for every agent:"
          : "It runs now, and these rules are proposed to an admin:"}
      </p>
      <ul className="grid gap-1.5">
        {suggestions.data.map(({ rule }) => {
          if (!rule) return null;
          const { command, reach } = ruleWords(rule);
          return (
            <li key={rule.id}>
              <span className="text-muted">allow</span>{" "}
              <code className="font-mono text-xs break-all">{visibleText(command)}</code>{" "}
              <span className="text-muted">({reach})</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
