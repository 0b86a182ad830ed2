"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.ts";

/** Who is signed in, and their role. The gateway checks it again with every call. */
export function useMe() {
  const me = useQuery(useTRPC().gateway.me.queryOptions());
  const role = me.data?.role;
  return { me: me.data ?? null, canOperate: role === "operator" || role === "admin", isAdmin: role === "admin" };
}
