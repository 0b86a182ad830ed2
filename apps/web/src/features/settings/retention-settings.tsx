"use client";

import { useQuery } from "@tanstack/react-query";
import { useMe } from "@/features/frame/use-me.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Link } from "@/ui/controls/link.tsx";
import { Failure } from "@/ui/states/failure.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { Facts } from "./facts.tsx";
import { Section } from "./section.tsx";

/** How long data is kept, according to the policy. */
export function RetentionSettings() {
  const { isAdmin } = useMe();
  const policy = useQuery(useTRPC().policy.get.queryOptions());
  return (
    <Section title="Retention" about="How long data is kept. Older data is deleted once a day.">
      {policy.error && <Failure message={policy.error.message} retry={() => void policy.refetch()} />}
      {policy.isPending && <Loading what="the policy" />}
      {policy.data && (
        <>
          <Facts
            facts={[
              ["Record", daysOf(policy.data.retention.auditDays)],
              ["Recordings", daysOf(policy.data.retention.recordingDays)],
              ["Long outputs", daysOf(policy.data.retention.overflowDays)],
              ["Trash", daysOf(policy.data.retention.trashDays)],
            ]}
          />
          {isAdmin && (
            <Link
              href="/policy?view=form#retention"
              className="mt-3 inline-block text-sm text-accent underline underline-offset-4"
            >
              Change it in the policy
            </Link>
          )}
        </>
      )}
    </Section>
  );
}

function daysOf(days: number | null): string {
  if (days === null) return "for ever";
  return days === 1 ? "1 day" : `${days} days`;
}
