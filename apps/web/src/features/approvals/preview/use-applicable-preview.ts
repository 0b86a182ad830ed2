"use client";

import type { Approval } from "@belay/protocol";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.ts";

/** The preview that can be applied as it stands; null if there is none, or only a real run will do. */
export function useApplicablePreview(approval: Approval): string | null {
  const { data } = useQuery(useTRPC().approvals.preview.queryOptions({ id: approval.id }));
  if (
    data?.status !== "ready" ||
    approval.approversNeeded > 1 ||
    approval.subject.client !== null ||
    approval.subject.isPreview
  )
    return null;
  return data.preview.obstacles.length === 0 ? data.preview.id : null;
}
