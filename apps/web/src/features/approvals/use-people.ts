"use client";

import { useQuery } from "@tanstack/react-query";
import { useMe } from "@/features/frame/use-me.ts";
import { useTRPC } from "@/trpc/client.ts";

/** Names of people; the signed-in person is "You". */
export function usePeople(): { nameOf(id: string): string } {
  const { me } = useMe();
  const people = useQuery(useTRPC().people.names.queryOptions());
  return {
    nameOf: (id) => {
      if (id === me?.id) return "You";
      return id === "local"
        ? "The command line"
        : (people.data?.find((person) => person.id === id)?.name ?? "A person");
    },
  };
}
