"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck, Info, TriangleAlert } from "lucide-react";
import { useTRPC } from "@/trpc/client.ts";
import { Failure } from "@/ui/states/failure.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { GatewayList } from "./gateway-list.tsx";
import { Section } from "./section.tsx";

const LOOK_EVERY_MS = 15_000;
const PARTS = {
  record: "Record",
  policy: "Policy",
  terminals: "Terminals",
  gateways: "Gateways",
  undo: "Undo",
} as const;

/** The health checks, with what is wrong. */
export function HealthSettings() {
  const health = useQuery(useTRPC().gateway.health.queryOptions(undefined, { refetchInterval: LOOK_EVERY_MS }));
  return (
    <Section title="Health" about="The record, the policy, the terminals and undo, checked every few seconds.">
      {health.error && <Failure message={health.error.message} retry={() => void health.refetch()} />}
      {health.isPending && <Loading what="the health of the gateway" />}
      {health.data && (
        <ul className="grid gap-2 text-sm">
          {health.data.problems.length === 0 && (
            <li className="flex gap-2">
              <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
              Everything works.
            </li>
          )}
          {health.data.problems.map(({ part, problem }) => (
            <li key={problem} className="flex gap-2 text-danger">
              <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
              <span>
                {PARTS[part]}: {problem}
              </span>
            </li>
          ))}
          {health.data.notices.map(({ part, problem }) => (
            <li key={problem} className="flex gap-2 text-attention">
              <Info aria-hidden className="mt-0.5 size-4 shrink-0" />
              <span>
                {PARTS[part]}: {problem}
              </span>
            </li>
          ))}
        </ul>
      )}
      {health.data && health.data.gateways.length > 0 && <GatewayList gateways={health.data.gateways} />}
    </Section>
  );
}
