"use client";

import type { Approval } from "@belay/protocol";
import { useQuery } from "@tanstack/react-query";
import { ChangesButton } from "@/features/changes/changes-button.tsx";
import { formatDuration } from "@/features/terminals/overview/activity.ts";
import { Age } from "@/features/terminals/overview/age.tsx";
import { useTRPC } from "@/trpc/client.ts";
import { Link } from "@/ui/controls/link.tsx";
import { usePeople } from "../use-people.ts";

const EVERY_MS = 700;

/** The result of an answer: who gave it, the command's state, and the end of its output. */
export function Outcome({ approval, maxLines = 12 }: { approval: Approval; maxLines?: number }) {
  const people = usePeople();
  const { id, state, subject } = approval;
  const isApproved = state.status === "approved";
  const outcome = useQuery(
    useTRPC().approvals.outcome.queryOptions(
      { id },
      {
        enabled: isApproved,
        // Not batched: another query in the same request would delay it.
        trpc: { context: { skipBatch: true } },
        // Events announce its start and end; the output in between is polled.
        refetchInterval: ({ state: { data } }) => (isOver(data?.entry?.status) ? false : EVERY_MS),
      },
    ),
  );
  if (state.status === "pending") return null;
  if (outcome.error) return <p className="text-sm text-danger">{outcome.error.message}</p>;
  const entry = outcome.data?.entry ?? null;
  const lines = outcome.data?.output?.trimEnd().split("\n").slice(-maxLines) ?? [];
  return (
    <div className="grid gap-1.5 text-sm">
      <p role="status" className="flex flex-wrap items-baseline gap-x-2">
        <span className={`font-medium ${isApproved && entry?.status !== "frozen" ? "" : "text-danger"}`}>
          {isApproved ? runWords(entry) : stateWords(state)}
        </span>
        <span className="text-muted">
          {whoWords(state, people.nameOf)} <Age at={state.at} suffix=" ago" />
        </span>
      </p>
      {state.status === "denied" && state.message && <p className="text-muted">“{state.message}”</p>}
      {lines.some((line) => line.trim() !== "") && (
        <pre className="rounded-md bg-screen p-3 font-mono text-xs leading-5 break-words whitespace-pre-wrap text-screen-ink">
          {lines.join("\n")}
        </pre>
      )}
      <ChangesButton commandId={approval.commandId} words={entry?.changes ?? null} className="justify-self-start" />
      {isApproved && subject.terminalId && (
        <Link
          href={`/terminal?id=${subject.terminalId}${entry?.startPosition == null ? "" : `&at=${entry.startPosition}`}`}
          className="justify-self-start text-accent underline underline-offset-4"
        >
          Open its terminal
        </Link>
      )}
    </div>
  );
}

type Entry = { status: string; isApplied: boolean; exitCode: number | null; durationMs: number | null } | null;

function isOver(status: string | undefined): boolean {
  return status !== undefined && status !== "running" && status !== "waiting";
}

function runWords(entry: Entry): string {
  switch (entry?.status) {
    case "ran": {
      const took = entry.durationMs === null ? "" : ` after ${formatDuration(entry.durationMs)}`;
      return entry.exitCode === null ? `Ended${took}` : `Ran: exit ${entry.exitCode}${took}`;
    }
    case "cleared":
      return entry.exitCode === null
        ? "Allowed in the client's own shell"
        : `Ran in the client: exit ${entry.exitCode}`;
    case "undelivered":
      return entry.exitCode === null
        ? "Too late: the client no longer waited for the answer"
        : `Too late: the client had run it, exit ${entry.exitCode}`;
    case "done": {
      const exit = entry.exitCode === null ? "" : `: exit ${entry.exitCode}`;
      return entry.isApplied ? `Applied as shown${exit}` : `Ran${exit}`;
    }
    case "spawned":
      return "Ran";
    case "frozen":
      return "Not run: its agent was frozen";
    case "denied":
      return "Not run: the policy forbids it";
    case "failed":
      return "Could not run";
    default:
      return "Running …";
  }
}

function stateWords(state: Exclude<Approval["state"], { status: "pending" | "approved" }>): string {
  switch (state.status) {
    case "denied":
      return "Refused";
    case "expired":
      return "Expired without an answer";
    case "withdrawn":
      return `Withdrawn: ${state.reason}`;
  }
}

function whoWords(state: Exclude<Approval["state"], { status: "pending" }>, nameOf: (id: string) => string): string {
  switch (state.status) {
    case "approved":
      return `${state.by.map(nameOf).join(" and ")} approved it${state.editedText === null ? "" : ", edited,"}`;
    case "denied":
      return `by ${nameOf(state.by)}`;
    case "expired":
    case "withdrawn":
      return "";
  }
}
