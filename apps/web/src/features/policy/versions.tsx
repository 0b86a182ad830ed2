"use client";

import type { Actor } from "@belay/protocol";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { usePeople } from "@/features/approvals/use-people.ts";
import { useMe } from "@/features/frame/use-me.ts";
import { Age } from "@/features/terminals/overview/age.tsx";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { Choices } from "@/ui/controls/choices.tsx";
import { Confirm } from "@/ui/dialogs/confirm.tsx";
import { Failure } from "@/ui/states/failure.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { toast } from "@/ui/states/toast.tsx";
import { untilLoaded } from "@/ui/states/until-loaded.ts";

const DiffView = dynamic(
  untilLoaded(() => import("./editor/diff-view.tsx")),
  {
    ssr: false,
    loading: () => <Loading what="the changes" />,
  },
);

/** Every version of the policy: who made it, what it changed, and a button to roll back to it. */
export function Versions() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { isAdmin } = useMe();
  const nameOf = useActorName();
  const versions = useQuery(trpc.policy.versions.queryOptions({ limit: 200 }));
  const [chosen, setChosen] = useState<number | null>(null);
  const [against, setAgainst] = useState<"before" | "now">("before");
  const [isAsking, setIsAsking] = useState(false);
  const rollBack = useMutation(
    trpc.policy.rollBack.mutationOptions({
      onSuccess: async () => {
        setIsAsking(false);
        setChosen(null);
        toast("Rolled back, as a new version.");
        await queryClient.invalidateQueries(trpc.policy.pathFilter());
      },
    }),
  );
  if (versions.error) return <Failure message={versions.error.message} retry={() => void versions.refetch()} />;
  if (!versions.data) return <Loading what="versions" />;
  const [latest] = versions.data;
  const at = Math.max(
    0,
    versions.data.findIndex(({ seq }) => seq === chosen),
  );
  const selected = versions.data[at];
  const other = against === "before" ? versions.data[at + 1] : latest;
  if (!selected || !latest) return <p className="p-5 text-sm text-muted">There are no versions yet.</p>;
  const [before, after] = against === "before" ? [other?.text, selected.text] : [selected.text, other?.text];
  return (
    <div className="grid gap-4 p-4 sm:p-5 xl:grid-cols-[18rem_minmax(0,1fr)]">
      <ol aria-label="Versions, newest first" className="grid max-h-[70dvh] content-start gap-1 overflow-y-auto p-0.5">
        {versions.data.map(({ seq, author, note, at: when }) => (
          <li key={seq}>
            <button
              type="button"
              aria-current={seq === selected.seq}
              onClick={() => setChosen(seq)}
              className={`block w-full cursor-pointer rounded-lg px-3 py-2 text-left text-sm ${seq === selected.seq ? "bg-surface ring-1 ring-line" : "hover:bg-sunken"}`}
            >
              <span className="flex items-baseline gap-2">
                <span className="font-medium">Version {seq}</span>
                {seq === latest.seq && <span className="text-xs text-accent">in force</span>}
                <Age at={when} suffix=" ago" className="ml-auto text-xs text-muted" />
              </span>
              <span className="block truncate text-xs text-muted">
                {nameOf(author)}
                {note && `: ${note}`}
              </span>
            </button>
          </li>
        ))}
      </ol>
      <div className="grid min-w-0 content-start gap-3">
        <div className="flex flex-wrap items-center gap-3">
          <Choices
            legend="Compare"
            isLegendHidden
            choices={[
              { value: "before", label: "With the one before" },
              { value: "now", label: "With the one in force" },
            ]}
            value={against}
            onChange={setAgainst}
          />
          {isAdmin && selected.seq !== latest.seq && (
            <Button look="quiet" size="small" className="ml-auto" onClick={() => setIsAsking(true)}>
              Roll back to version {selected.seq}
            </Button>
          )}
        </div>
        {before === after ? (
          <p className="text-sm text-muted">No difference.</p>
        ) : (
          <DiffView before={before ?? ""} after={after ?? ""} label={`Changes of version ${selected.seq}`} />
        )}
      </div>
      <Confirm
        title={`Roll back to version ${selected.seq}?`}
        verb="Roll back"
        isOpen={isAsking}
        isBusy={rollBack.isPending}
        problem={rollBack.error?.message ?? null}
        onConfirm={() => rollBack.mutate({ seq: selected.seq })}
        onClose={() => setIsAsking(false)}
      >
        <p>Its text comes into force at once, as a new version. Commands that wait are judged again.</p>
      </Confirm>
    </div>
  );
}

/** The name of a version's author. */
function useActorName(): (actor: Actor) => string {
  const people = usePeople();
  return (actor) => {
    if (actor.type === "person") return people.nameOf(actor.id);
    return actor.type === "local" ? "The command line" : "Belay";
  };
}
