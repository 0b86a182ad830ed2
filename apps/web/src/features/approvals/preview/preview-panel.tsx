"use client";

import type { PreviewState } from "@belay/agent-gateway/router";
import type { Approval } from "@belay/protocol";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { PreviewResult } from "./preview-result.tsx";

/** What the command would change, tried on a copy: offered, under way, known, or why it cannot be. */
export function PreviewPanel({ approval }: { approval: Approval }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { id } = approval;
  const state = useQuery(trpc.approvals.preview.queryOptions({ id }));
  const start = useMutation(
    trpc.approvals.startPreview.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(trpc.approvals.preview.queryFilter({ id })),
    }),
  );
  const problem = state.error?.message ?? start.error?.message ?? null;
  if (!state.data && problem === null) return null;
  if (state.data?.status === "off") return null;
  return (
    <section aria-label="Preview" aria-live="polite" className="mt-4 text-sm">
      <h3 className="mb-1 text-xs font-medium text-muted">What it would change</h3>
      {problem !== null && (
        <p role="alert" className="mb-2 text-danger">
          {problem}
        </p>
      )}
      {state.data && (
        <Body
          approval={approval}
          state={state.data}
          isStarting={start.isPending}
          onStart={() => start.mutate({ id })}
        />
      )}
    </section>
  );
}

function Body({
  approval,
  state,
  isStarting,
  onStart,
}: {
  approval: Approval;
  state: PreviewState;
  isStarting: boolean;
  onStart(): void;
}) {
  const again = (words: string) => (
    <Button look="quiet" size="small" disabled={isStarting} onClick={onStart}>
      {words}
    </Button>
  );
  switch (state.status) {
    case "off":
      return null;
    case "unavailable":
      return <p className="text-muted">No preview. {state.why}</p>;
    case "offered":
      return (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          {again("Preview")}
          <p className="min-w-48 flex-1 text-muted">Tries it on a copy, without a network. Nothing real is touched.</p>
        </div>
      );
    case "running":
      return <p className="text-muted">Trying it on a copy …</p>;
    case "failed":
      return (
        <div className="grid justify-items-start gap-2">
          <p className="text-danger">The preview failed. {state.why}</p>
          {again("Try again")}
        </div>
      );
    case "ready":
      return <PreviewResult approval={approval} preview={state.preview} again={again("Preview again")} />;
  }
}
