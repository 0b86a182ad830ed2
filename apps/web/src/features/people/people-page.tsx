"use client";

import { useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { useListKeys } from "@/features/frame/keys/use-list-keys.ts";
import { useMe } from "@/features/frame/use-me.ts";
import { useQueryState } from "@/features/frame/use-query-state.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/controls/button.tsx";
import { ListDetail } from "@/ui/lists/list-detail.tsx";
import { Failure } from "@/ui/states/failure.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { IdentityProviderStatus } from "./identity-provider-status.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { OpenInvitations } from "./open-invitations.tsx";
import { PersonDetail } from "./person-detail.tsx";
import { RolesTable } from "./roles-table.tsx";

/** Everyone with an account, for admins. */
export function PeoplePage() {
  const people = useQuery(useTRPC().people.list.queryOptions());
  const { me } = useMe();
  const { get, set } = useQueryState();
  const [isInviting, setIsInviting] = useState(false);
  const selected = people.data?.find(({ id }) => id === get("id")) ?? null;
  useListKeys(people.data?.map(({ id }) => id) ?? [], selected?.id ?? null, (id) => set({ id }, { replaces: true }));
  if (people.error && !people.data)
    return <Failure message={people.error.message} retry={() => void people.refetch()} />;
  if (!people.data) return <Loading what="people" />;
  return (
    <>
      <ListDetail
        title="People"
        note={people.data.length === 1 ? "Only you so far." : `${people.data.length} people`}
        actions={
          <Button onClick={() => setIsInviting(true)}>
            <UserPlus aria-hidden className="size-4" /> Invite
          </Button>
        }
        list={
          <div className="min-h-0 lg:overflow-y-auto">
            <ul aria-label="People" className="divide-y divide-line rounded-xl border border-line bg-raised">
              {people.data.map((person) => (
                <li key={person.id}>
                  <button
                    type="button"
                    onClick={() => set({ id: person.id })}
                    aria-current={person.id === selected?.id ? "true" : undefined}
                    className="flex min-h-12 w-full cursor-pointer items-center gap-3 px-4 py-2 text-left hover:bg-sunken aria-[current]:bg-sunken"
                  >
                    <span className="min-w-0 truncate font-medium">{person.name}</span>
                    {person.id === me?.id && <span className="text-sm text-muted">you</span>}
                    <span className="min-w-0 flex-1 truncate text-sm text-muted">{person.email}</span>
                    <Badge tone={person.role === "admin" ? "accent" : "quiet"}>{person.role}</Badge>
                  </button>
                </li>
              ))}
            </ul>
            <OpenInvitations />
            <RolesTable />
            <IdentityProviderStatus />
          </div>
        }
        detail={
          selected && (
            <PersonDetail
              key={selected.id}
              person={selected}
              isMe={selected.id === me?.id}
              onRemoved={() => set({ id: null })}
            />
          )
        }
        detailName={selected?.name ?? "Person"}
        onBack={() => set({ id: null })}
      />
      {isInviting && <InviteDialog onClose={() => setIsInviting(false)} />}
    </>
  );
}
