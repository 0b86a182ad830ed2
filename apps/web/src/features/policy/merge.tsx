"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/ui/button.tsx";
import { Loading } from "@/ui/loading.tsx";
import type { PolicyDraft } from "./draft.ts";

const TwoSides = dynamic(() => import("./editor/diff-view.tsx").then(({ TwoSides }) => TwoSides), {
  ssr: false,
  loading: () => <Loading what="both sides" />,
});

/** Somebody else saved while one was writing: both texts side by side, and nothing of either is lost. */
export function Merge({ draft }: { draft: PolicyDraft }) {
  const [mine, setMine] = useState(draft.text);
  return (
    <section aria-label="Merge" className="grid gap-3 p-4 sm:p-5">
      <p className="text-sm">
        <strong>A new version came into force while you were editing.</strong> It stands on the left, your draft on the
        right. The arrows take over a change from the left; you can edit on the right.
      </p>
      <TwoSides theirs={draft.inForce} mine={draft.text} onChange={setMine} />
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => draft.rebase(mine)}>Go on with the right side</Button>
        <Button look="quiet" onClick={draft.discard}>
          Drop my draft
        </Button>
      </div>
    </section>
  );
}
