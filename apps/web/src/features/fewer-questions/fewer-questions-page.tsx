"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useRouter, useSearchParams } from "next/navigation";
import { usePolicyDraft } from "@/features/policy/draft.ts";
import { appendRules } from "@/features/policy/draft-text.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Choices } from "@/ui/controls/choices.tsx";
import { ErrorMessage } from "@/ui/states/error-message.tsx";
import { Failure } from "@/ui/states/failure.tsx";
import { toast } from "@/ui/states/toast.tsx";
import { type FoundRules, RuleCard } from "./rule-card.tsx";

const SPANS = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
] as const;
type Span = (typeof SPANS)[number]["value"];

/** Searches past answers for rules that would have saved questions, and lets an admin decide about each. */
export function FewerQuestionsPage() {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const draft = usePolicyDraft();
  const asked = useSearchParams().get("days");
  const days: Span = SPANS.find(({ value }) => value === asked)?.value ?? "7";
  const found = useQuery(trpc.policy.fewerQuestions.queryOptions({ days: Number(days) }, { staleTime: 60_000 }));
  const refresh = () => queryClient.invalidateQueries(trpc.policy.pathFilter());
  const accept = useMutation(
    trpc.policy.acceptRules.mutationOptions({ onSuccess: () => toast("Added to the policy."), onSettled: refresh }),
  );
  const dismiss = useMutation(
    trpc.policy.dismissRules.mutationOptions({ onSuccess: () => toast("Not suggested again."), onSettled: refresh }),
  );
  const problem = accept.error ?? dismiss.error;
  const isBusy = accept.isPending || dismiss.isPending;
  function change({ rules }: FoundRules) {
    draft.setText(appendRules(draft.text, rules.map(withoutDefaults)));
    router.push("/policy?view=form");
  }
  return (
    <main className="w-full max-w-4xl p-4 sm:p-6">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <h1 className="text-xl font-semibold tracking-tight">Fewer questions</h1>
        <Choices
          legend="Look back"
          isLegendHidden
          choices={SPANS}
          value={days}
          onChange={(next) => router.replace(`/fewer-questions?days=${next}`, { scroll: false })}
        />
      </header>
      {found.error && <Failure message={found.error.message} retry={() => void found.refetch()} />}
      {found.isPending && (
        <p role="status" className="mt-6 animate-pulse text-sm text-muted">
          Reading what was asked, refused and run …
        </p>
      )}
      {found.data && (
        <>
          <p role="status" className="mt-3 text-sm">
            {summaryOf(found.data)}
          </p>
          <p className="text-sm text-muted">
            A rule is only offered if nothing that was ever refused, and no known misuse of its program, would get
            through.
          </p>
          <ErrorMessage className="mt-3 whitespace-pre-wrap">{problem?.message}</ErrorMessage>
          {found.data.found.length === 0 && <NothingFound hasAsked={found.data.asked > 0} />}
          <ul aria-label="Suggested rules" className="mt-5 grid gap-3">
            {found.data.found.map((each) => (
              <RuleCard
                key={each.key}
                found={each}
                isBusy={isBusy}
                onAccept={() => accept.mutate({ rules: each.rules })}
                onChange={() => change(each)}
                onDismiss={() => dismiss.mutate({ rules: each.rules })}
              />
            ))}
          </ul>
        </>
      )}
    </main>
  );
}

function summaryOf({ asked, approved, refused, saved, found }: Summary): string {
  if (asked === 0) return "Nothing was asked in this time.";
  const times = asked === 1 ? "Asked once" : `Asked ${asked} times`;
  const answers = `${approved} approved, ${refused} refused`;
  if (found.length === 0) return `${times}: ${answers}.`;
  const rules = found.length === 1 ? "This suggestion" : `These ${found.length} suggestions`;
  return `${times}: ${answers}. ${rules} would have saved ${saved} of them.`;
}

interface Summary {
  asked: number;
  approved: number;
  refused: number;
  saved: number;
  found: readonly unknown[];
}

/** Drops defaults from a suggested rule, because people read the file. */
function withoutDefaults({ exactArgs, match, notMatch, ...rule }: FoundRules["rules"][number]) {
  return {
    ...rule,
    ...(exactArgs ? { exactArgs } : {}),
    ...(match.length > 0 ? { match } : {}),
    ...(notMatch.length > 0 ? { notMatch } : {}),
  };
}

function NothingFound({ hasAsked }: { hasAsked: boolean }) {
  return (
    <div className="grid place-items-center py-16 text-center">
      <div>
        <CircleCheck aria-hidden className="mx-auto size-8 text-accent" strokeWidth={1.5} />
        <p className="mt-3 font-medium">Nothing to suggest</p>
        <p className="mt-1 text-sm text-muted">
          {hasAsked
            ? "No safe rule would have saved any of these questions."
            : "Suggestions appear once people have answered questions."}
        </p>
      </div>
    </div>
  );
}
