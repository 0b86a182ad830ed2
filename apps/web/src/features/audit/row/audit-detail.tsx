"use client";

import type { AuditRow } from "@belay/agent-gateway/router";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronUp } from "lucide-react";
import { type ReactNode, useState } from "react";
import { visibleText } from "@/features/approvals/card/visible-text.ts";
import { ChangesButton } from "@/features/changes/changes-button.tsx";
import { useMe } from "@/features/frame/use-me.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Choices } from "@/ui/controls/choices.tsx";
import { Copyable } from "@/ui/controls/copyable.tsx";
import { IconButton } from "@/ui/controls/icon-button.tsx";
import { Link } from "@/ui/controls/link.tsx";
import { Failure } from "@/ui/states/failure.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { useActorName } from "../actor-name.ts";
import type { QueryKey } from "../audit-query.ts";
import { formatExact } from "../format-time.ts";
import { describeRow } from "../list/describe-row.ts";
import { ChainPlace } from "./chain-place.tsx";
import { DetailTree } from "./detail-tree.tsx";
import { RedactRow } from "./redact-row.tsx";

/** Everything about one row: what happened, before and after, its raw form, and its place in the chain. */
export function AuditDetail({
  seq,
  onNarrow,
  onGo,
}: {
  seq: number;
  onNarrow(changes: Partial<Record<QueryKey, string | null>>): void;
  onGo(seq: number): void;
}) {
  const nameOf = useActorName();
  const { isAdmin } = useMe();
  const place = useQuery(useTRPC().audit.row.queryOptions({ seq }, { staleTime: Number.POSITIVE_INFINITY }));
  const [form, setForm] = useState<"read" | "raw">("read");
  if (place.error) return <Failure message={place.error.message} retry={() => void place.refetch()} />;
  if (place.data === null)
    return <p className="p-5 text-sm text-muted">Row {seq} is not on record any more, or not yet.</p>;
  if (!place.data) return <Loading what="the row" />;
  const { event, nextSeq } = place.data;
  const { what, about } = describeRow(event);
  return (
    <div className="p-4 sm:p-5">
      <header className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h2 className="text-base font-semibold tracking-tight first-letter:uppercase">{what}</h2>
          <p className="font-mono text-xs text-muted">{event.type}</p>
        </div>
        <IconButton
          icon={ChevronUp}
          name="The row after it"
          disabled={nextSeq === null}
          onClick={() => nextSeq && onGo(nextSeq)}
        />
        <IconButton icon={ChevronDown} name="The row before it" disabled={seq <= 1} onClick={() => onGo(seq - 1)} />
      </header>
      {about !== null && (
        <pre className="mt-3 max-h-48 overflow-auto rounded-md bg-sunken p-3 font-mono text-xs leading-relaxed break-words whitespace-pre-wrap">
          {visibleText(about)}
        </pre>
      )}
      <dl className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
        <Fact name="When">{formatExact(event.at)}</Fact>
        <Fact name="Who">
          {nameOf(event.actor)}
          {"id" in event.actor && (
            <Narrow
              onClick={() =>
                "id" in event.actor && onNarrow({ [event.actor.type === "agent" ? "agent" : "person"]: event.actor.id })
              }
            >
              only theirs
            </Narrow>
          )}
        </Fact>
        {event.terminalId && (
          <Fact name="Terminal">
            <code className="font-mono text-xs">{event.terminalId}</code>
            <Narrow onClick={() => onNarrow({ terminal: event.terminalId })}>only this terminal</Narrow>
          </Fact>
        )}
        {event.commandId && (
          <Fact name="Command">
            <code className="font-mono text-xs">{event.commandId}</code>
            <Narrow onClick={() => onNarrow({ command: event.commandId })}>only this command</Narrow>
          </Fact>
        )}
      </dl>
      <RowLinks event={event} />
      {event.commandId && <ChangesButton commandId={event.commandId} words={changeWords(event)} className="mt-3" />}
      <section className="mt-5 border-t border-line pt-4">
        <div className="mb-3 flex items-center justify-between gap-3">
          <h3 className="text-sm font-medium">Details</h3>
          <Choices
            legend="Form of the details"
            isLegendHidden
            choices={[
              { value: "read", label: "Read" },
              { value: "raw", label: "JSON" },
            ]}
            value={form}
            onChange={setForm}
          />
        </div>
        {form === "raw" ? (
          <Copyable label="the row as JSON" text={JSON.stringify(event, null, 2)} />
        ) : (
          <DetailTree detail={event.detail} />
        )}
      </section>
      <section className="mt-5 border-t border-line pt-4">
        <h3 className="mb-2 text-sm font-medium">Place in the chain</h3>
        <ChainPlace place={place.data} />
      </section>
      {isAdmin && <RedactRow place={place.data} />}
    </div>
  );
}

/** Links to the same moment on other pages. */
function RowLinks({ event }: { event: AuditRow }) {
  const approvalId = typeof event.detail.approvalId === "string" ? event.detail.approvalId : null;
  const look = "text-accent underline-offset-4 hover:underline";
  if (!approvalId && !event.terminalId) return null;
  return (
    <p className="mt-4 flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {event.terminalId && (
        // A full page load, because only the player's page may run WebAssembly.
        <a className={look} href={`/replay?id=${event.terminalId}&moment=${event.at}`}>
          Replay this moment
        </a>
      )}
      {approvalId && (
        <Link className={look} href={`/approvals?id=${approvalId}`}>
          The approval
        </Link>
      )}
    </p>
  );
}

/** Rows about changes link to the diff. */
function changeWords({ type, detail }: AuditRow): string | null {
  const tells = type === "command.changed" || type === "changes.undone";
  return tells && typeof detail.words === "string" ? detail.words : null;
}

function Narrow({ onClick, children }: { onClick(): void; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="ml-2 cursor-pointer text-xs text-accent underline-offset-4 hover:underline"
    >
      {children}
    </button>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}
