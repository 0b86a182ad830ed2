"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { File, FileSymlink, Folder, type LucideIcon, Search, Undo2 } from "lucide-react";
import { useEffect, useState } from "react";
import { visibleText } from "@/features/approvals/card/visible-text.ts";
import { useMe } from "@/features/frame/use-me.ts";
import { useQueryState } from "@/features/frame/use-query-state.ts";
import { formatBytes } from "@/features/terminals/overview/activity.ts";
import { Age } from "@/features/terminals/overview/age.tsx";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { ListDetail } from "@/ui/lists/list-detail.tsx";
import { Failure } from "@/ui/states/failure.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { toast } from "@/ui/states/toast.tsx";
import { byWorkspace } from "./by-workspace.ts";
import { EmptyTrash } from "./empty-trash.tsx";

const ICONS: Record<string, LucideIcon> = { directory: Folder, link: FileSymlink };
/** Only the newest are shown; the search covers all. */
const MOST_SHOWN = 500;
const PROBLEMS = {
  "not-in-trash": "It is not in the trash any more.",
  "path-taken": "Another file is there now and is not overwritten. Move it away first.",
  "folder-moved": "Its folder is a link now, which is not followed.",
};

/** Files that agents removed and that can be restored, by workspace. */
export function TrashPage() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { canOperate, isAdmin } = useMe();
  const { get, set } = useQueryState();
  const search = get("search") ?? "";
  const [typed, setTyped] = useState(search);
  useEffect(() => setTyped(search), [search]);
  const items = useQuery(trpc.trash.list.queryOptions());
  const size = useQuery(trpc.trash.size.queryOptions());
  const about = useQuery(trpc.gateway.about.queryOptions());
  const agents = useQuery(trpc.agents.list.queryOptions());
  const refresh = () => queryClient.invalidateQueries(trpc.trash.pathFilter());
  const restore = useMutation(
    trpc.trash.restore.mutationOptions({
      onSuccess: (outcome) =>
        toast(outcome.status === "restored" ? `${outcome.path} is back.` : PROBLEMS[outcome.reason]),
      onError: ({ message }) => toast(message),
      onSettled: refresh,
    }),
  );
  if (items.error && !items.data) return <Failure message={items.error.message} retry={() => void items.refetch()} />;
  if (!items.data) return <Loading what="the trash" />;

  const matching = items.data
    .filter(({ path }) => path.toLowerCase().includes(search.toLowerCase()))
    .sort((a, b) => b.deletedAt - a.deletedAt);
  const workspaces = [about.data?.workspace, ...(agents.data ?? []).map(({ workspace }) => workspace)];
  const groups = byWorkspace(
    matching.slice(0, MOST_SHOWN),
    workspaces.flatMap((folder) => folder ?? []),
  );
  return (
    <ListDetail
      title="Trash"
      note={`${items.data.length.toLocaleString()} ${items.data.length === 1 ? "thing" : "things"}${size.data ? `, ${formatBytes(size.data.bytes)}` : ""}`}
      actions={isAdmin && items.data.length > 0 && <EmptyTrash onEmptied={refresh} />}
      filters={
        items.data.length > 0 && (
          <label className="relative max-sm:w-full">
            <span className="sr-only">Search the trash</span>
            <Search aria-hidden className="absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted" />
            <input
              type="search"
              placeholder="Search by path"
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value);
                set({ search: event.target.value }, { replaces: true });
              }}
              className="h-9 w-full rounded-md border border-edge bg-raised pr-2 pl-8 text-base pointer-coarse:h-11 sm:w-72 sm:text-sm"
            />
          </label>
        )
      }
      list={
        matching.length === 0 ? (
          <p className="py-16 text-center text-muted">
            {items.data.length === 0
              ? "Nothing is in the trash. What agents remove with rm comes here first."
              : "Nothing in the trash matches."}
          </p>
        ) : (
          <div className="min-h-0 lg:overflow-y-auto">
            {groups.map(({ folder, items: own }) => (
              <section key={folder ?? ""} className="mb-5" aria-label={folder ?? "Elsewhere"}>
                <h2 className="mb-1.5 font-mono text-xs text-muted">{folder ?? "Elsewhere"}</h2>
                <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
                  {own.map(({ id, kind, path, shown, deletedAt, gateway }) => {
                    const Icon = ICONS[kind] ?? File;
                    return (
                      <li key={`${gateway?.id} ${id}`} className="flex min-h-11 items-center gap-3 px-4 py-1.5 text-sm">
                        <Icon aria-label={kind} className="size-4 shrink-0 text-muted" />
                        <span className="min-w-0 flex-1">
                          <code title={path} className="block truncate font-mono text-xs">
                            {visibleText(shown)}
                          </code>
                          {gateway && <span className="block truncate text-xs text-muted">at {gateway.name}</span>}
                        </span>
                        <Age at={deletedAt} suffix=" ago" className="text-xs text-muted" />
                        {canOperate && (
                          <Button
                            look="quiet"
                            size="small"
                            disabled={restore.isPending}
                            aria-label={`Restore ${path}`}
                            onClick={() => restore.mutate({ id, gateway: gateway?.id })}
                          >
                            <Undo2 aria-hidden className="size-4" /> Restore
                          </Button>
                        )}
                      </li>
                    );
                  })}
                </ul>
              </section>
            ))}
            {matching.length > MOST_SHOWN && (
              <p className="pb-4 text-center text-sm text-muted">
                The newest {MOST_SHOWN} of {matching.length.toLocaleString()}. Search for the others.
              </p>
            )}
          </div>
        )
      }
      detail={null}
      detailName=""
      onBack={() => {}}
    />
  );
}
