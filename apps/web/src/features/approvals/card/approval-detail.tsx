"use client";

import type { Approval } from "@belay/protocol";
import { Age } from "@/features/terminals/overview/age.tsx";
import { LastLines } from "@/features/terminals/overview/last-lines.tsx";
import { Badge } from "@/ui/badge.tsx";
import { Link } from "@/ui/controls/link.tsx";
import { PreviewPanel } from "../preview/preview-panel.tsx";
import { Circumstances } from "./circumstances.tsx";
import { CommandBox } from "./command-box.tsx";
import { Countdown } from "./countdown.tsx";
import { levelLabel } from "./level-label.ts";
import { NamedFiles } from "./named-files.tsx";
import { Part } from "./part.tsx";
import { reasonsOf } from "./reasons.ts";
import { WhatRuns } from "./what-runs.tsx";

/** Everything a person needs for the answer: what will run, why it waits, where, and what came before. */
export function ApprovalDetail({
  approval,
  agentName,
  isFrozen,
  canAnswer,
}: {
  approval: Approval;
  agentName: string;
  isFrozen: boolean;
  canAnswer: boolean;
}) {
  const { subject, verdict, createdAt, expiresAt } = approval;
  const isDangerous = verdict.level === "dangerous";
  return (
    <>
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <h2 className="text-base font-semibold tracking-tight">{agentName}</h2>
        <Badge tone={isDangerous ? "danger" : "attention"}>{levelLabel(verdict.level)}</Badge>
        {approval.approversNeeded > 1 && <Badge>needs {approval.approversNeeded} people</Badge>}
        <span className="text-muted">
          waiting for <Age at={createdAt} />
        </span>
        {expiresAt !== null && <Countdown createdAt={createdAt} expiresAt={expiresAt} isFrozen={isFrozen} />}
      </header>

      <WhatRuns subject={subject} />

      <div className="mt-3">
        <CommandBox approval={approval} size="page" />
      </div>

      {canAnswer && <PreviewPanel approval={approval} />}

      <Circumstances subject={subject} />

      <Part title="Why it’s asking">
        <ul className="grid gap-1.5">
          {reasonsOf(verdict).map((match) => (
            <li key={`${match.rule} ${match.reason}`} className="flex flex-wrap items-baseline gap-x-2">
              <span className={match.decision === "deny" ? "text-danger" : ""}>{match.reason}</span>
              <span className="font-mono text-xs text-muted">{match.rule}</span>
            </li>
          ))}
          {verdict.matches.length === 0 && <li>The agent’s profile asks about everything.</li>}
        </ul>
      </Part>

      {subject.files.length > 0 && (
        <Part title="Files that it runs or reads">
          <NamedFiles approval={approval} />
        </Part>
      )}

      <Part title="Where">
        <p className="font-mono text-xs leading-5 break-all">{subject.cwd}</p>
        {subject.terminalId && (
          <>
            <Link
              href={`/terminal?id=${subject.terminalId}`}
              className="mt-1 inline-block text-accent underline underline-offset-4"
            >
              Open its terminal
            </Link>
            <LastLines id={subject.terminalId} />
          </>
        )}
      </Part>
    </>
  );
}
