"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck, TriangleAlert } from "lucide-react";
import { useTRPC } from "@/trpc/client.ts";
import { ScrollList } from "@/ui/lists/scroll-list.tsx";
import { Failure } from "@/ui/states/failure.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { Section } from "./section.tsx";

/** The report of `belay doctor`: what this machine supports, what is missing, and which agents have which wall. */
export function MachineSettings() {
  const report = useQuery(useTRPC().gateway.doctor.queryOptions(undefined, { staleTime: 60_000 }));
  return (
    <Section title="This machine" about="What it supports for isolating agents, and what is missing.">
      {report.error && <Failure message={report.error.message} retry={() => void report.refetch()} />}
      {report.isPending && <Loading what="what this machine supports" />}
      {report.data && (
        <div className="grid gap-3 text-sm">
          <p>{report.data.newAgents}</p>
          <ul className="grid gap-2">
            {report.data.machine.map(({ id, title, status, detail, fix }) => (
              <li key={id} className="flex gap-2">
                {status === "ready" ? (
                  <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
                ) : (
                  <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-attention" />
                )}
                <span>
                  <span className="font-medium">{title}:</span> {detail}
                  {fix && <span className="block text-muted">{fix}</span>}
                </span>
              </li>
            ))}
          </ul>
          {report.data.agents.length > 0 && (
            <ScrollList
              label="Walls of the agents"
              className="max-h-60 divide-y divide-line rounded-lg border border-line"
            >
              {report.data.agents.map(({ id, name, wall, problem }) => (
                <li key={id} className="flex flex-wrap gap-x-3 px-3 py-1.5">
                  <span className="min-w-32 flex-1 font-medium">{name}</span>
                  <span className={problem ? "text-danger" : "text-muted"}>
                    {problem ?? (wall ? `${wall.isolation}, network ${wall.network}` : "no wall")}
                  </span>
                </li>
              ))}
            </ScrollList>
          )}
        </div>
      )}
    </Section>
  );
}
