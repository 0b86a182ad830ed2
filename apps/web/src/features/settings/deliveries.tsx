"use client";

import { formatDuration } from "@/features/terminals/overview/activity.ts";
import { Age } from "@/features/terminals/overview/age.tsx";
import { ScrollList } from "@/ui/lists/scroll-list.tsx";

interface Delivery {
  at: number;
  about: "question" | "test";
  attempt: number;
  tookMs: number;
  problem: string | null;
}

/** The latest deliveries of a webhook, newest first. */
export function Deliveries({ deliveries }: { deliveries: readonly Delivery[] }) {
  const [latest, ...others] = deliveries;
  if (!latest) return <p className="mt-1 text-xs text-muted">Nothing sent since the gateway started.</p>;
  return (
    <div className="mt-1 text-xs">
      <Line delivery={latest} />
      {others.length > 0 && (
        <details>
          <summary className="cursor-pointer text-muted pointer-coarse:py-2.5">
            {others.length} before that, since the gateway started
          </summary>
          <ScrollList label="Earlier deliveries" className="max-h-48">
            {others.map((delivery) => (
              <li key={`${delivery.at} ${delivery.attempt}`}>
                <Line delivery={delivery} />
              </li>
            ))}
          </ScrollList>
        </details>
      )}
    </div>
  );
}

function Line({ delivery: { at, about, attempt, tookMs, problem } }: { delivery: Delivery }) {
  return (
    <p className="flex flex-wrap gap-x-2">
      <Age at={at} suffix=" ago" className="w-16 text-muted" />
      <span className="text-muted">
        {about === "test" ? "test" : "a command that waits"}
        {attempt > 0 && `, attempt ${attempt + 1}`}
      </span>
      <span className={problem === null ? "text-accent" : "text-danger"}>{problem ?? "arrived"}</span>
      <span className="text-muted tabular-nums">{formatDuration(tookMs)}</span>
    </p>
  );
}
