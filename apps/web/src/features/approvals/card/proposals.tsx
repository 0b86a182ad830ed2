"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMe } from "@/features/frame/use-me.ts";
import { formatAge } from "@/features/terminals/overview/activity.ts";
import { useNow } from "@/features/terminals/use-now.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { ErrorMessage } from "@/ui/states/error-message.tsx";
import { HOLDS_ANSWERS } from "../answer/use-key-guard.ts";
import { ruleWords } from "./rule-words.ts";
import { visibleText } from "./visible-text.ts";

/** Rules that operators propose. An admin decides; no command waits for them. */
export function Proposals() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const now = useNow();
  const { isAdmin } = useMe();
  const proposals = useQuery(trpc.policy.proposals.queryOptions());
  const people = useQuery(trpc.people.names.queryOptions());
  const settle = useMutation(
    trpc.policy.settleProposal.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(trpc.policy.pathFilter()),
    }),
  );
  if (!proposals.data || proposals.data.length === 0) return null;
  return (
    <section {...HOLDS_ANSWERS} aria-label="Proposed rules" className="mt-8">
      <h2 className="font-semibold tracking-tight">Proposed rules</h2>
      <p className="mb-3 text-sm text-muted">Operators suggest always allowing these. An admin decides.</p>
      <ErrorMessage className="mb-3">{settle.error?.message}</ErrorMessage>
      <ul className="grid gap-2">
        {proposals.data.map(({ id, rules, author, at }) => {
          const name = author.type === "person" ? people.data?.find((person) => person.id === author.id)?.name : null;
          return (
            <li
              key={id}
              className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-line bg-raised p-4 text-sm"
            >
              <div className="min-w-56 flex-1">
                {rules.map((rule) => {
                  const { command, reach } = ruleWords(rule);
                  return (
                    <p key={rule.id}>
                      <span className="text-muted">allow</span>{" "}
                      <code className="font-mono text-xs break-all">{visibleText(command)}</code>{" "}
                      <span className="text-muted">({reach})</span>
                    </p>
                  );
                })}
                <p className="mt-0.5 text-xs text-muted">
                  {name ?? "A person"}, {formatAge(now - at)} ago
                </p>
              </div>
              {isAdmin && (
                <div className="flex gap-2">
                  <Button
                    size="small"
                    disabled={settle.isPending}
                    onClick={() => settle.mutate({ id, decision: "accept" })}
                  >
                    Accept
                  </Button>
                  <Button
                    look="quiet"
                    size="small"
                    disabled={settle.isPending}
                    onClick={() => settle.mutate({ id, decision: "reject" })}
                  >
                    Reject
                  </Button>
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
