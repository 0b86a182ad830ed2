"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { Field } from "@/ui/controls/field.tsx";
import { ErrorMessage } from "@/ui/states/error-message.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { toast } from "@/ui/states/toast.tsx";
import { untilLoaded } from "@/ui/states/until-loaded.ts";
import type { PolicyDraft } from "./draft.ts";
import { readValues } from "./draft-text.ts";
import type { Problem } from "./editor/policy-editor.tsx";
import { Replay } from "./replay.tsx";

const DiffView = dynamic(
  untilLoaded(() => import("./editor/diff-view.tsx")),
  {
    ssr: false,
    loading: () => <Loading what="the changes" />,
  },
);

/** Everything to check before a draft becomes the policy: the diff, the replay, the examples. */
export function Review({
  draft,
  problems,
  isChecked,
  onSaved,
}: {
  draft: PolicyDraft;
  problems: readonly Problem[];
  isChecked: boolean;
  onSaved(): void;
}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [note, setNote] = useState("");
  const save = useMutation(
    trpc.policy.save.mutationOptions({
      onSuccess: async () => {
        draft.discard();
        await queryClient.invalidateQueries(trpc.policy.pathFilter());
        toast("Saved. The new policy is in force.");
        onSaved();
      },
      // If another person saved meanwhile, the page shows both versions.
      onError: () => queryClient.invalidateQueries(trpc.policy.get.queryFilter()),
    }),
  );
  if (!draft.isChanged) return <p className="p-5 text-sm text-muted">Nothing has changed.</p>;
  const isBroken = problems.length > 0;
  const examples = countExamples(draft.text);
  return (
    <div className="grid gap-6 p-4 sm:p-5">
      <Part title="What changes">
        <DiffView before={draft.inForce} after={draft.text} label="What changes in the policy" />
      </Part>
      {isBroken ? (
        <Part title="What has to be fixed first">
          <ul className="grid gap-1 text-sm text-danger">
            {problems.map(({ line, column, message, fix }) => (
              <li key={`${line}:${column}:${message}`}>
                Line {line}: {message} {fix}
              </li>
            ))}
          </ul>
        </Part>
      ) : (
        <>
          <Part title="On past commands">
            <Replay text={draft.text} />
          </Part>
          <Part title="Examples of the rules">
            <p className="text-sm text-muted">
              {examples === 0
                ? "No rule has examples. Try a command, and keep it as one."
                : isChecked
                  ? `All ${examples} hold.`
                  : "Checking …"}
            </p>
          </Part>
        </>
      )}
      <form
        className="border-t border-line pt-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({ text: draft.text, basedOn: draft.basedOn, note });
        }}
      >
        <Field
          label="Comment"
          className=""
          hint="Optional. Others read it in the versions."
          value={note}
          maxLength={500}
          onChange={(event) => setNote(event.target.value)}
        />
        <ErrorMessage className="mt-3 whitespace-pre-wrap">{save.error?.message}</ErrorMessage>
        <Button type="submit" className="mt-4" disabled={isBroken || !isChecked || save.isPending || draft.isOutdated}>
          Save the policy
        </Button>
      </form>
    </div>
  );
}

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="mb-2 text-xs font-medium text-muted">{title}</h2>
      {children}
    </section>
  );
}

function countExamples(text: string): number {
  const rules = readValues(text)?.rules;
  if (!Array.isArray(rules)) return 0;
  return (rules as { match?: unknown[]; notMatch?: unknown[] }[]).reduce(
    (sum, { match = [], notMatch = [] }) => sum + match.length + notMatch.length,
    0,
  );
}
