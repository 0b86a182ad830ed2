"use client";

import type { CommandId } from "@belay/protocol";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMe } from "@/features/frame/use-me.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { Failure } from "@/ui/states/failure.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { ChangedFiles } from "./changed-files.tsx";
import { UndoPanel } from "./undo-panel.tsx";

/** The files that a command changed, each with its diff, and the undo. */
export function ChangesView({ commandId }: { commandId: CommandId }) {
  const { canOperate } = useMe();
  const view = useQuery(useTRPC().changes.of.queryOptions({ commandId }));
  const [isUndoing, setIsUndoing] = useState(false);
  if (view.error) return <Failure message={view.error.message} retry={() => void view.refetch()} />;
  if (!view.data) return <Loading what="the changes" />;
  const { list, problem, summary, sharedWith, undoneBy, undoes } = view.data;
  if (!list) return <p className="text-sm text-muted">{problem ?? "What it changed is not known."}</p>;
  return (
    <div className="grid gap-4">
      <div className="grid gap-1 text-sm">
        <p className="font-medium first-letter:uppercase">{summary === "" ? "Nothing changed." : summary}</p>
        {undoes?.type === "command" && <p className="text-muted">It undid {undoes.commandId}.</p>}
        {undoneBy.length > 0 && <p className="text-muted">It was undone by {undoneBy[0]?.commandId}.</p>}
        {sharedWith.length > 0 && (
          <p className="text-attention">
            {sharedWith.length === 1 ? "Another command" : `${sharedWith.length} other commands`} ran at the same time:
            it is unknown which of them changed what.
          </p>
        )}
      </div>
      {isUndoing ? (
        <UndoPanel commandId={commandId} onClose={() => setIsUndoing(false)} />
      ) : (
        <>
          <ChangedFiles commandId={commandId} list={list} />
          {canOperate && list.paths.length > 0 && (
            <Button look="quiet" className="justify-self-start" onClick={() => setIsUndoing(true)}>
              Undo it …
            </Button>
          )}
        </>
      )}
    </div>
  );
}
