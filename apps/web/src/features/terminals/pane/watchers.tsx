"use client";

import type { TerminalId } from "@belay/protocol";
import { useQuery } from "@tanstack/react-query";
import { Eye } from "lucide-react";
import { useMe } from "@/features/frame/use-me.ts";
import { useTRPC } from "@/trpc/client.ts";

/** Who else has this open. Renders nothing if there is no one. */
export function Watchers({ id }: { id: TerminalId }) {
  const { me } = useMe();
  const watchers = useQuery(useTRPC().terminals.watchers.queryOptions({ id }));
  const others = watchers.data?.filter(({ kind, id: who }) => kind !== "person" || who !== me?.id) ?? [];
  if (others.length === 0) return null;
  const guests = others.filter(({ kind }) => kind === "guest").length;
  const names = [
    ...others.flatMap(({ kind, name }) => (kind === "guest" || name === null ? [] : [name])),
    ...(guests === 0 ? [] : [guests === 1 ? "a guest" : `${guests} guests`]),
  ];
  return (
    <p className="flex min-w-0 items-center gap-1.5 text-sm text-muted">
      <Eye aria-hidden className="size-4 shrink-0" />
      <span className="truncate">{names.join(", ")} also watching</span>
    </p>
  );
}
