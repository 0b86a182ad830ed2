"use client";

import type { CommandId } from "@belay/protocol";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { visibleText } from "@/features/approvals/card/visible-text.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { ErrorMessage } from "@/ui/states/error-message.tsx";
import { Failure } from "@/ui/states/failure.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { toast } from "@/ui/states/toast.tsx";

const EFFECTS = { remove: "is removed", create: "comes back", change: "goes back" } as const;
const MOST_SHOWN = 200;

/** What an undo would do to the current files. For files that have changed since, the person chooses. */
export function UndoPanel({ commandId, onClose }: { commandId: CommandId; onClose(): void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const plan = useQuery(trpc.changes.plan.queryOptions({ commandId }, { staleTime: 0, gcTime: 0 }));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [overwritten, setOverwritten] = useState<ReadonlySet<string>>(new Set());
  const undo = useMutation(
    trpc.changes.undo.mutationOptions({
      onSuccess: ({ result }) => {
        if (result.status !== "undone") return void plan.refetch();
        toast(`Undid ${result.undone} ${result.undone === 1 ? "file or folder" : "files and folders"}.`);
        onClose();
      },
      onSettled: () => queryClient.invalidateQueries(trpc.changes.pathFilter()),
    }),
  );
  if (plan.error) return <Failure message={plan.error.message} retry={() => void plan.refetch()} />;
  if (!plan.data) return <Loading what="what would be undone" />;
  const { steps, fingerprint } = plan.data;
  const todo = steps.filter(({ action }) => action === "restore" || action === "merge");
  const conflicts = steps.filter(({ action }) => action === "conflict");
  const impossible = steps.filter(({ action }) => action === "impossible");
  const wanted = [...todo, ...conflicts].filter(({ id }) => !left.has(id));
  const isPart = left.size > 0;
  const changing = wanted.filter(({ action, id }) => action !== "conflict" || overwritten.has(id));
  return (
    <section aria-label="Undo it" className="grid gap-4">
      {undo.data && undo.data.result.status !== "undone" && (
        <p role="alert" className="text-sm text-attention">
          The files have changed meanwhile, so nothing was undone. This is their current state.
        </p>
      )}
      <ErrorMessage>{undo.error?.message}</ErrorMessage>
      {conflicts.length > 0 && (
        <fieldset className="rounded-lg border border-attention bg-attention-soft p-3">
          <legend className="px-1 text-sm font-medium text-attention">Changed since</legend>
          <p className="mb-2 text-sm">These stay as they are, unless you choose to overwrite the later change.</p>
          <ul className="grid gap-1">
            {conflicts.map(({ id, path, reason }) => (
              <li key={id}>
                <Check
                  label={path}
                  note={reason ?? ""}
                  isChecked={overwritten.has(id)}
                  onChange={() => setOverwritten(toggle(overwritten, id))}
                  verb="Overwrite"
                />
              </li>
            ))}
          </ul>
        </fieldset>
      )}
      {todo.length > 0 && (
        <ul aria-label="Undone" className="grid max-h-80 gap-1 overflow-y-auto">
          {todo.slice(0, MOST_SHOWN).map(({ id, path, action, effect }) => (
            <li key={id}>
              <Check
                label={path}
                note={action === "merge" ? "goes back, and later changes elsewhere in it stay" : EFFECTS[effect]}
                isChecked={!left.has(id)}
                onChange={() => setLeft(toggle(left, id))}
                verb="Undo"
              />
            </li>
          ))}
          {todo.length > MOST_SHOWN && <li className="text-xs text-muted">… and {todo.length - MOST_SHOWN} more</li>}
        </ul>
      )}
      {impossible.map(({ id, path, reason }) => (
        <p key={id} className="text-sm text-danger">
          {visibleText(path)} cannot be undone. {reason}
        </p>
      ))}
      {todo.length + conflicts.length === 0 && <p className="text-sm">Everything already is what it was before.</p>}
      <p className="text-xs text-muted">
        Not undone: what went over the network, databases, processes, ignored files, and the project’s own .git. An undo
        can be undone, too.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          disabled={changing.length === 0 || undo.isPending}
          onClick={() =>
            undo.mutate({
              commandId,
              fingerprint,
              ...(isPart ? { paths: wanted.map(({ id }) => id) } : {}),
              overwrite: [...overwritten],
              skipsConflicts: true,
            })
          }
        >
          {undo.isPending ? "Undoing …" : `Undo ${changing.length}`}
        </Button>
        <Button look="quiet" onClick={onClose}>
          Leave it
        </Button>
      </div>
    </section>
  );
}

function Check({
  label,
  note,
  isChecked,
  onChange,
  verb,
}: {
  label: string;
  note: string;
  isChecked: boolean;
  onChange(): void;
  verb: string;
}) {
  return (
    <label className="flex cursor-pointer items-baseline gap-2 rounded px-1 py-1 text-sm hover:bg-sunken pointer-coarse:min-h-11 pointer-coarse:items-center">
      <input
        type="checkbox"
        aria-label={`${verb} ${label}`}
        checked={isChecked}
        onChange={onChange}
        className="size-4 shrink-0 self-center accent-accent"
      />
      <span className="min-w-0 font-mono text-xs break-all">{visibleText(label)}</span>
      <span className="text-xs text-muted">{note}</span>
    </label>
  );
}

function toggle(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}
