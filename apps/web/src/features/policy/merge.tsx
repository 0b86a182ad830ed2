"use client";

import dynamic from "next/dynamic";
import { useMemo, useState } from "react";
import { Button } from "@/ui/controls/button.tsx";
import { Choices } from "@/ui/controls/choices.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { untilLoaded } from "@/ui/states/until-loaded.ts";
import type { PolicyDraft } from "./draft.ts";
import { type Conflict, mergeDrafts, settleConflict } from "./merge-drafts.ts";

const TwoSides = dynamic(
  untilLoaded(() => import("./editor/diff-view.tsx").then(({ TwoSides }) => TwoSides)),
  {
    ssr: false,
    loading: () => <Loading what="both sides" />,
  },
);

/**
 * Another person saved while this draft was being written. What only they changed is taken into the draft; where both
 * changed the same setting, this person chooses.
 */
export function Merge({ draft }: { draft: PolicyDraft }) {
  const merged = useMemo(
    () =>
      draft.baseText === null ? null : mergeDrafts({ base: draft.baseText, theirs: draft.inForce, mine: draft.text }),
    [draft.baseText, draft.inForce, draft.text],
  );
  const [text, setText] = useState(merged?.text ?? draft.text);
  const [chosen, setChosen] = useState<ReadonlyMap<string, "theirs" | "mine">>(new Map());
  // The editor keeps its own text; a choice made outside of it starts it again with the new one.
  const [edition, setEdition] = useState(0);
  const conflicts = merged?.conflicts ?? [];
  const open = conflicts.filter((conflict) => !chosen.has(keyOf(conflict))).length;

  function choose(conflict: Conflict, side: "theirs" | "mine") {
    setText((before) => settleConflict(before, conflict, conflict[side]));
    setChosen((before) => new Map(before).set(keyOf(conflict), side));
    setEdition((before) => before + 1);
  }
  return (
    <section aria-label="Merge" className="grid gap-3 p-4 sm:p-5">
      <p className="text-sm">
        <strong>A new version came into force while you were editing.</strong> {summaryOf(merged)}
      </p>
      {conflicts.length > 0 && (
        <ul aria-label="Changed by both" className="grid gap-3">
          {conflicts.map((conflict) => (
            <li key={keyOf(conflict)} className="rounded-lg border border-line p-3 text-sm">
              <p>
                <code className="font-mono text-xs">{conflict.path.join(" › ")}</code>{" "}
                <span className="text-muted">
                  was <Value value={conflict.base} />
                </span>
              </p>
              <dl className="my-2 grid gap-x-3 gap-y-1 sm:grid-cols-[auto_minmax(0,1fr)]">
                <dt className="text-muted">In force now</dt>
                <dd>
                  <Value value={conflict.theirs} />
                </dd>
                <dt className="text-muted">Your draft</dt>
                <dd>
                  <Value value={conflict.mine} />
                </dd>
              </dl>
              <Choices
                legend={`Which ${conflict.path.join(" › ")}`}
                isLegendHidden
                choices={[
                  { value: "theirs", label: "Take theirs" },
                  { value: "mine", label: "Keep mine" },
                ]}
                value={chosen.get(keyOf(conflict)) ?? ""}
                onChange={(side) => side !== "" && choose(conflict, side)}
              />
            </li>
          ))}
        </ul>
      )}
      <p className="text-sm text-muted">
        The version in force is on the left, your draft on the right. The arrows copy a change from the left, and you
        can edit on the right.
      </p>
      <TwoSides key={edition} theirs={draft.inForce} mine={text} onChange={setText} />
      <div className="flex flex-wrap items-center gap-2">
        <Button disabled={open > 0} onClick={() => draft.rebase(text)}>
          Go on with the right side
        </Button>
        <Button look="quiet" onClick={draft.discard}>
          Drop my draft
        </Button>
        {open > 0 && (
          <p role="status" className="text-sm text-attention">
            {open === 1 ? "1 setting" : `${open} settings`} to choose
          </p>
        )}
      </div>
    </section>
  );
}

function summaryOf(merged: ReturnType<typeof mergeDrafts>): string {
  if (merged === null) return "The two texts can’t be merged setting by setting, so compare them below.";
  const { taken, conflicts } = merged;
  const came =
    taken.length === 0
      ? "It changed nothing that your draft leaves alone."
      : `Its ${taken.length === 1 ? "change is" : `${taken.length} changes are`} in your draft now: ${taken.map((path) => path.join(" › ")).join(", ")}.`;
  return conflicts.length === 0 ? came : `${came} You both changed what is listed here; choose one side for each.`;
}

/** A setting that a side leaves out has its default. */
function Value({ value }: { value: unknown }) {
  if (value === undefined) return <span className="text-muted">not set</span>;
  return <code className="font-mono text-xs break-words">{JSON.stringify(value)}</code>;
}

function keyOf({ path }: Conflict): string {
  return JSON.stringify(path);
}
