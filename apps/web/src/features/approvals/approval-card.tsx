"use client";

import type { Approval, ApprovalScope } from "@belay/protocol";
import Link from "next/link";
import { useState } from "react";
import { formatAge } from "@/features/terminals/activity.ts";
import { useNow } from "@/features/terminals/use-now.ts";
import { Button } from "@/ui/button.tsx";
import { Field } from "@/ui/field.tsx";
import { CommandText } from "./command-text.tsx";

type Decision = { decision: "approve"; scope: ApprovalScope } | { decision: "deny"; message?: string };

interface Props {
  approval: Approval;
  agentName: string;
  canAnswer: boolean;
  isAnswering: boolean;
  onAnswer(decision: Decision): void;
}

/** One command that waits: what will run, why it waits, and the two ways out. */
export function ApprovalCard({ approval, agentName, canAnswer, isAnswering, onAnswer }: Props) {
  const now = useNow();
  const [message, setMessage] = useState("");
  const { subject, verdict, expiresAt } = approval;
  return (
    <li className="rounded-xl border border-line bg-raised p-5">
      <p className="mb-3 flex flex-wrap gap-x-3 text-sm text-muted">
        <span className="font-medium text-ink">{agentName}</span>
        <span className={verdict.level === "dangerous" ? "text-danger" : "text-attention"}>{verdict.level}</span>
        <span>waiting for {formatAge(now - approval.createdAt)}</span>
        {expiresAt !== null && <span>denied by itself in {formatAge(expiresAt - now)}</span>}
      </p>
      <div className="rounded-md border border-line bg-sunken p-3">
        <CommandText text={subject.text} verdict={verdict} />
      </div>
      <ul className="mt-3 text-sm">
        {verdict.matches.map((match) => (
          <li key={match.rule}>
            {match.reason} <span className="text-muted">({match.rule})</span>
          </li>
        ))}
      </ul>
      <p className="mt-2 truncate font-mono text-xs text-muted">
        {subject.cwd}
        {subject.terminalId && (
          <>
            {" · "}
            <Link href={`/terminal?id=${subject.terminalId}`} className="underline underline-offset-4">
              {subject.terminalId}
            </Link>
          </>
        )}
      </p>
      {canAnswer ? (
        <div className="mt-5 grid gap-3 sm:grid-cols-[auto_auto_1fr_auto] sm:items-end">
          <Button disabled={isAnswering} onClick={() => onAnswer({ decision: "approve", scope: { type: "once" } })}>
            Run once
          </Button>
          <Button
            look="quiet"
            disabled={isAnswering}
            onClick={() => onAnswer({ decision: "approve", scope: { type: "minutes", minutes: 15 } })}
          >
            Allow for 15 min
          </Button>
          <Field
            label="Message to the agent"
            value={message}
            maxLength={2000}
            onChange={(event) => setMessage(event.target.value)}
          />
          <Button
            look="quiet"
            disabled={isAnswering}
            onClick={() => onAnswer(message.trim() ? { decision: "deny", message } : { decision: "deny" })}
          >
            Refuse
          </Button>
        </div>
      ) : (
        <p className="mt-4 text-sm text-muted">An operator or admin answers this.</p>
      )}
    </li>
  );
}
