"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useRouter, useSearchParams } from "next/navigation";
import { useState } from "react";
import { Proposals } from "@/features/approvals/card/proposals.tsx";
import { useMe } from "@/features/frame/use-me.ts";
import { LARGE_INPUT, useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { Choices } from "@/ui/controls/choices.tsx";
import { Confirm } from "@/ui/dialogs/confirm.tsx";
import { Failure } from "@/ui/states/failure.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { untilLoaded } from "@/ui/states/until-loaded.ts";
import { usePolicyDraft } from "./draft.ts";
import { formatText } from "./draft-text.ts";
import type { Problem } from "./editor/policy-editor.tsx";
import { PolicyForm } from "./form/policy-form.tsx";
import { Merge } from "./merge.tsx";
import { Review } from "./review.tsx";
import type { JsonSchema } from "./schema.ts";
import { TryIt } from "./try-it.tsx";
import { useDebounced } from "./use-debounced.ts";
import { Versions } from "./versions.tsx";

// The editor is large, and only this page needs it.
const PolicyEditor = dynamic(
  untilLoaded(() => import("./editor/policy-editor.tsx")),
  {
    ssr: false,
    loading: () => <Loading what="the editor" />,
  },
);

type View = "form" | "text" | "try" | "review" | "versions";
const NO_PROBLEMS: readonly Problem[] = [];

/** The policy: one draft, as a form and as text, tried while it is written and replayed before it is saved. */
export function PolicyPage() {
  const trpc = useTRPC();
  const router = useRouter();
  const { isAdmin } = useMe();
  const draft = usePolicyDraft();
  const wanted = useSearchParams().get("view");
  const [isDiscarding, setIsDiscarding] = useState(false);
  const schema = useQuery(trpc.policy.schema.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }));
  const settled = useDebounced(draft.text, 400);
  const check = useQuery(
    trpc.policy.checkDraft.queryOptions(
      { text: settled },
      { enabled: isAdmin && draft.isChanged, trpc: LARGE_INPUT, staleTime: 60_000, retry: false },
    ),
  );
  if (draft.policy.error && !draft.policy.data)
    return <Failure message={draft.policy.error.message} retry={() => void draft.policy.refetch()} />;
  if (schema.error) return <Failure message={schema.error.message} retry={() => void schema.refetch()} />;
  if (!draft.policy.data || !schema.data) return <Loading what="the policy" />;

  const { profiles, profileSettings, defaultProfile, health } = draft.policy.data;
  const view = viewOf(wanted, draft.isChanged);
  const isChecked = settled === draft.text && check.data !== undefined;
  const problems = draft.isChanged ? (check.data?.errors ?? NO_PROBLEMS) : NO_PROBLEMS;
  const show = (next: View) => router.replace(`/policy?view=${next}`, { scroll: false });
  const choices = [
    { value: "form", label: "Form" },
    { value: "text", label: "Text" },
    { value: "versions", label: "Versions" },
  ] as const;
  return (
    <main className="flex w-full flex-1 flex-col p-4 sm:p-6 lg:min-h-0">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <h1 className="text-xl font-semibold tracking-tight">Policy</h1>
        <span className="lg:hidden">
          <Choices
            legend="Show"
            isLegendHidden
            choices={[...choices.slice(0, 2), { value: "try", label: "Try it" }, ...choices.slice(2)]}
            value={view}
            onChange={show}
          />
        </span>
        <span className="max-lg:hidden">
          <Choices
            legend="Show"
            isLegendHidden
            choices={choices}
            value={view === "try" ? "form" : view}
            onChange={show}
          />
        </span>
        {draft.isChanged && isAdmin && (
          <div className="ml-auto flex flex-wrap items-center gap-2">
            <p role="status" className={`text-sm ${problems.length > 0 ? "text-danger" : "text-attention"}`}>
              {problems.length > 0
                ? problems.length === 1
                  ? "1 problem"
                  : `${problems.length} problems`
                : "Not saved yet"}
            </p>
            {view === "text" && (
              <Button look="plain" size="small" onClick={() => draft.setText(formatText(draft.text))}>
                Format
              </Button>
            )}
            <Button look="quiet" size="small" onClick={() => setIsDiscarding(true)}>
              Discard
            </Button>
            {view !== "review" && (
              <Button size="small" onClick={() => show("review")}>
                Review and save
              </Button>
            )}
          </div>
        )}
      </header>
      {health.status === "broken" && (
        <div role="alert" className="mt-4 rounded-xl border border-danger bg-danger-soft p-4 text-sm">
          <p className="font-medium">
            The file on disk can’t be used; the policy you see here is in force. Fix the file, or roll back to a
            version.
          </p>
          <ul className="mt-1 font-mono text-xs">
            {health.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </div>
      )}
      {health.status === "not-taken" && (
        <p role="alert" className="mt-4 rounded-xl border border-danger bg-danger-soft p-4 text-sm">
          The file on disk was edited, and the policy before it is still in force: {health.problem}
        </p>
      )}
      <div className="mt-4 grid flex-1 gap-4 lg:min-h-0 lg:grid-cols-[minmax(0,1fr)_24rem] lg:grid-rows-[minmax(0,1fr)]">
        <div
          className={`min-h-0 min-w-0 rounded-xl border border-line bg-raised lg:overflow-y-auto ${view === "try" ? "max-lg:hidden" : ""}`}
        >
          {draft.isOutdated && isAdmin && view !== "versions" ? (
            <Merge key={draft.version} draft={draft} />
          ) : view === "text" ? (
            <div className="h-full max-lg:h-[70dvh]">
              <PolicyEditor
                text={draft.text}
                schema={schema.data as JsonSchema}
                problems={problems}
                isReadOnly={!isAdmin}
                onChange={draft.setText}
              />
            </div>
          ) : view === "versions" ? (
            <Versions />
          ) : view === "review" ? (
            <Review draft={draft} problems={problems} isChecked={isChecked} onSaved={() => show("form")} />
          ) : (
            <>
              {isAdmin || <p className="px-5 pt-4 text-sm text-muted">Only admins can change the policy.</p>}
              <div className="px-4 sm:px-5">
                <Proposals />
              </div>
              <PolicyForm
                text={draft.text}
                schema={schema.data as JsonSchema}
                profiles={profileSettings}
                isReadOnly={!isAdmin}
                onChange={draft.setText}
              />
            </>
          )}
        </div>
        <div
          className={`min-h-0 min-w-0 rounded-xl border border-line bg-raised lg:overflow-y-auto ${view === "try" ? "" : "max-lg:hidden"}`}
        >
          <TryIt
            draft={draft.text}
            isDraft={draft.isChanged && isAdmin}
            profiles={profiles}
            defaultProfile={defaultProfile}
            onDraft={isAdmin ? draft.setText : null}
          />
        </div>
      </div>
      <Confirm
        title="Discard your draft?"
        verb="Discard it"
        isOpen={isDiscarding}
        onConfirm={() => {
          draft.discard();
          setIsDiscarding(false);
          if (view === "review") show("form");
        }}
        onClose={() => setIsDiscarding(false)}
      >
        <p>The policy in force stays as it is. What you changed is gone.</p>
      </Confirm>
    </main>
  );
}

function viewOf(wanted: string | null, isChanged: boolean): View {
  if (wanted === "text" || wanted === "versions" || wanted === "try") return wanted;
  return wanted === "review" && isChanged ? "review" : "form";
}
