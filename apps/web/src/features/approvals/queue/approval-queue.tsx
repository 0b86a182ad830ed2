"use client";

import type { Approval, ApprovalId } from "@belay/protocol";
import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, CircleCheck, X } from "lucide-react";
import { useRouter, useSearchParams } from "next/navigation";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { useShortcuts } from "@/features/frame/keys/use-shortcuts.ts";
import { useMe } from "@/features/frame/use-me.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/button.tsx";
import { Failure } from "@/ui/failure.tsx";
import { IconButton } from "@/ui/icon-button.tsx";
import { Loading } from "@/ui/loading.tsx";
import { toast } from "@/ui/toast.tsx";
import { ApprovalAnswer } from "../answer/approval-answer.tsx";
import { canEdit, scopeOf, scopesFor } from "../answer/scope-picker.tsx";
import { useAnswerForm } from "../answer/use-answer-form.ts";
import { useKeyGuard } from "../answer/use-key-guard.ts";
import { ApprovalDetail } from "../card/approval-detail.tsx";
import { Outcome } from "../card/outcome.tsx";
import { Proposals } from "../card/proposals.tsx";
import { ReadGate, useReadGate } from "../card/read-gate.tsx";
import { visibleText } from "../card/visible-text.ts";
import { useAgents } from "../use-agents.ts";
import { useFrozen } from "../use-frozen.ts";
import { useRefuseOnly } from "../use-refuse-only.ts";
import { canSweep, groupEqual, isAlike } from "./alike.ts";
import { AnsweredList } from "./answered-list.tsx";
import { ApprovalRow } from "./approval-row.tsx";
import { ClearOld } from "./clear-old.tsx";
import { KeysHelp } from "./keys-help.tsx";
import { QueuePager } from "./queue-pager.tsx";
import { SettledApproval } from "./settled-approval.tsx";
import { Sweep } from "./sweep.tsx";
import { useAnswerMany } from "./use-answer-many.ts";
import { useSelection } from "./use-selection.ts";
import { useSettledNotice } from "./use-settled-notice.ts";

const WAIT_FOR_KEYS = "Click into this page first, or press j or k and wait a moment. Then keys answer.";

/** All pending questions, oldest first. The frame around the page keeps the list fresh. */
export function ApprovalQueue() {
  const approvals = useQuery(useTRPC().approvals.list.queryOptions({ state: "pending" }));
  const linked = useSearchParams().get("id");
  if (approvals.error && !approvals.data)
    return <Failure message={approvals.error.message} retry={() => void approvals.refetch()} />;
  if (!approvals.data) return <Loading what="approvals" />;
  // A new link resets the selection.
  return <Queue key={linked} approvals={approvals.data} linked={linked} />;
}

function Queue({ approvals: waiting, linked }: { approvals: Approval[]; linked: string | null }) {
  const router = useRouter();
  const agents = useAgents();
  const { me } = useMe();
  const isFrozen = useFrozen();
  const refuseOnly = useRefuseOnly();
  const { approvals, sameAsBefore } = useMemo(() => groupEqual(waiting), [waiting]);
  const ids = useMemo(() => approvals.map(({ id }) => id), [approvals]);
  const selection = useSelection<ApprovalId>(ids, linked);
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  // A link to a settled question shows that question, never another in its place.
  const [settledId, setSettledId] = useState<ApprovalId | null>(() =>
    linked !== null && !ids.some((id) => id === linked) ? (linked as ApprovalId) : null,
  );
  const [answered, setAnswered] = useState<Approval | null>(null);
  const [pickedIds, setPickedIds] = useState<ReadonlySet<ApprovalId>>(new Set());
  // On a phone the list comes first, unless it has only one item.
  const [isOpen, setIsOpen] = useState(linked !== null);

  const approval = settledId === null ? (approvals.find(({ id }) => id === selection.selected) ?? null) : null;
  const picked = approvals.filter(({ id }) => pickedIds.has(id));
  const isSweeping = settledId === null && picked.length > 1;
  // The policy may require a certain role for this one.
  const mayAnswer = ({ approvers }: Approval) => approvers.some((role) => role === me?.role);
  const canAnswer = approval !== null && mayAnswer(approval);
  const isRefuseOnly = approval !== null && refuseOnly(approval.subject.agentId);
  const canApproveTogether = (each: Approval) => canSweep(each) && !refuseOnly(each.subject.agentId);
  const reading = useReadGate();
  const form = useAnswerForm(approval, {
    isSettled: selection.isReady && canAnswer && !isSweeping,
    canRun: approval !== null && reading.isRead && !isRefuseOnly && !isFrozen(approval.subject.agentId),
    onAnswered: setAnswered,
  });
  const many = useAnswerMany(() => setPickedIds(new Set()));
  const canSweepNow = !many.isPending && picked.every((each) => mayAnswer(each) && !isFrozen(each.subject.agentId));
  const guard = useKeyGuard();
  /** Keys count only if they were meant for this page; answering takes more proof than navigating. */
  const guarded = (act: () => void, { answers = false } = {}) => {
    return () => {
      if (answers ? guard.isOpen : guard.isArmed) act();
      else toast(WAIT_FOR_KEYS);
    };
  };
  useSettledNotice(agents.nameOf);

  function select(id: ApprovalId) {
    setSettledId(null);
    selection.select(id);
  }
  function move(step: 1 | -1) {
    // Going back from a settled question keeps the place in the queue.
    if (settledId !== null) setSettledId(null);
    else selection.move(step);
  }
  function pickOn() {
    if (approval === null) return;
    const next = ids[ids.indexOf(approval.id) + 1];
    setPickedIds((before) => new Set([...before, approval.id, ...(next === undefined ? [] : [next])]));
    selection.move(1);
  }
  function pickAlike() {
    if (approval === null) return;
    const alike = approvals.filter((other) => isAlike(approval, other) && canSweep(other));
    if (alike.length < 2) toast("No other waiting command is like this one.");
    else setPickedIds(new Set(alike.map(({ id }) => id)));
  }
  function back() {
    if (isSweeping || picked.length > 0) setPickedIds(new Set());
    else form.setMode("reading");
  }

  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    J: pickOn,
    s: pickAlike,
    "?": () => setIsHelpOpen(true),
    Escape: back,
    o: approval?.subject.terminalId ? () => router.push(`/terminal?id=${approval.subject.terminalId}`) : undefined,
    ...(isSweeping
      ? {
          y: guarded(() => canSweepNow && many.answer("approve", picked.filter(canApproveTogether)), {
            answers: true,
          }),
        }
      : {}),
    ...(canAnswer && !isSweeping && form.mode === "reading"
      ? {
          d: guarded(() => form.setMode("refusing")),
        }
      : {}),
    ...(canAnswer && !isRefuseOnly && !isSweeping && form.mode === "reading"
      ? {
          a: guarded(form.approve, { answers: true }),
          e: canEdit(approval) ? guarded(() => form.setMode("editing")) : undefined,
          ...Object.fromEntries(
            scopesFor(approval).map((scope, index) => [String(index + 1), guarded(() => form.setScope(scope))]),
          ),
        }
      : {}),
    ...(canAnswer && !isSweeping && form.mode === "confirming"
      ? { y: guarded(() => form.answer({ decision: "approve", scope: scopeOf(form.scope) }), { answers: true }) }
      : {}),
  });

  const hasDetail = isOpen || ids.length === 1 || settledId !== null;
  return (
    <main className="flex w-full max-w-[110rem] flex-1 flex-col p-4 sm:p-6 lg:min-h-0">
      <header className="flex flex-wrap items-center gap-3">
        <h1 className="text-xl font-semibold tracking-tight">Approvals</h1>
        <p role="status" className="text-sm text-muted">
          {approvals.length > 0 && `${approvals.length} waiting`}
        </p>
        <span className="flex-1" />
        <ClearOld approvals={approvals.filter(mayAnswer)} />
        <Button look="plain" size="small" className="max-md:hidden" onClick={() => setIsHelpOpen(true)}>
          Keys <kbd className="font-mono">?</kbd>
        </Button>
      </header>
      {answered && settledId === null && (
        <JustAnswered approval={answered} nameOf={agents.nameOf} onClose={() => setAnswered(null)} />
      )}
      {approval === null && settledId === null ? (
        <div className="flex-1 lg:overflow-y-auto">
          <NothingWaits />
          <AnsweredList nameOf={agents.nameOf} />
          <Proposals />
        </div>
      ) : (
        <div className="mt-4 grid flex-1 items-start gap-4 lg:min-h-0 lg:grid-cols-[18rem_minmax(0,1fr)] lg:grid-rows-[minmax(0,1fr)] lg:gap-6">
          <div className={`lg:max-h-full lg:overflow-y-auto lg:p-0.5 ${hasDetail ? "max-lg:hidden" : ""}`}>
            <ol data-queue aria-label="Waiting for you" className="grid grid-cols-[minmax(0,1fr)] gap-1">
              {approvals.map((item) => (
                <ApprovalRow
                  key={item.id}
                  approval={item}
                  agentName={agents.nameOf(item.subject.agentId)}
                  isSelected={item.id === approval?.id}
                  isPicked={pickedIds.has(item.id)}
                  isRepeated={sameAsBefore.has(item.id)}
                  onSelect={() => select(item.id)}
                  onOpen={() => {
                    select(item.id);
                    setIsOpen(true);
                  }}
                />
              ))}
            </ol>
          </div>
          <div className={`min-w-0 lg:max-h-full lg:overflow-y-auto ${hasDetail ? "" : "max-lg:hidden"}`}>
            {ids.length > 1 && (
              <div className="mb-2 flex items-center gap-1 lg:hidden">
                <Button
                  look="plain"
                  size="small"
                  onClick={() => {
                    setSettledId(null);
                    setIsOpen(false);
                  }}
                >
                  <ChevronLeft aria-hidden className="size-4" /> All {ids.length}
                </Button>
                {approval && (
                  <QueuePager
                    at={ids.indexOf(approval.id)}
                    of={ids.length}
                    onPrevious={() => move(-1)}
                    onNext={() => move(1)}
                  />
                )}
              </div>
            )}
            {settledId !== null && <SettledApproval id={settledId} nameOf={agents.nameOf} />}
            {isSweeping && (
              <Sweep
                picked={picked}
                isReady={canSweepNow}
                isRefuseOnly={refuseOnly}
                nameOf={agents.nameOf}
                onAnswer={many.answer}
                onClear={() => setPickedIds(new Set())}
              />
            )}
            {approval !== null && !isSweeping && (
              <ReadGate gate={reading.gate}>
                <SelectedApproval
                  key={approval.id}
                  approval={approval}
                  agentName={agents.nameOf(approval.subject.agentId)}
                  isFrozen={isFrozen(approval.subject.agentId)}
                  canAnswer={canAnswer}
                >
                  <ApprovalAnswer
                    approval={approval}
                    form={form}
                    isRead={reading.isRead}
                    isFrozen={isFrozen(approval.subject.agentId)}
                    canAnswer={canAnswer}
                    isRefuseOnly={isRefuseOnly}
                  />
                </SelectedApproval>
              </ReadGate>
            )}
            <AnsweredList nameOf={agents.nameOf} />
            <Proposals />
          </div>
        </div>
      )}
      <KeysHelp isOpen={isHelpOpen} onClose={() => setIsHelpOpen(false)} />
    </main>
  );
}

function SelectedApproval({
  approval,
  agentName,
  isFrozen,
  canAnswer,
  children,
}: {
  approval: Approval;
  agentName: string;
  isFrozen: boolean;
  canAnswer: boolean;
  children: ReactNode;
}) {
  const region = useRef<HTMLElement>(null);
  useEffect(() => {
    // The focused button disappears with the answered question, so move the focus here for screen readers.
    if (document.activeElement === document.body) region.current?.focus({ preventScroll: true });
    // Show the new question from its beginning, even if the list or the previous one was scrolled.
    if (region.current && region.current.getBoundingClientRect().top < 0) region.current.scrollIntoView();
  }, []);
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={`${agentName} asks`}
      className="min-w-0 scroll-mt-28 rounded-xl border border-line bg-raised outline-none lg:scroll-mt-1"
    >
      <div className="p-4 sm:p-5">
        <ApprovalDetail approval={approval} agentName={agentName} isFrozen={isFrozen} canAnswer={canAnswer} />
      </div>
      {/* In a short window it would cover the command. */}
      <div className="sticky bottom-14 rounded-b-xl border-t border-line bg-raised p-4 sm:px-5 lg:bottom-0 short:static">
        {children}
      </div>
    </section>
  );
}

/** The result of the last answer, shown beside the next question. */
function JustAnswered({
  approval,
  nameOf,
  onClose,
}: {
  approval: Approval;
  nameOf(agentId: string): string;
  onClose(): void;
}) {
  // The cached answer is outdated once another person has answered too.
  const current = useQuery(useTRPC().approvals.get.queryOptions({ id: approval.id }, { initialData: approval })).data;
  return (
    <section
      aria-label="Your last answer"
      className="mt-4 flex max-h-[40dvh] shrink-0 items-start gap-2 overflow-y-auto rounded-xl border border-line bg-raised py-2.5 pr-2 pl-4"
    >
      <div className="grid min-w-0 flex-1 gap-1.5 pt-1.5">
        <p className="flex min-w-0 gap-2 text-sm">
          <span className="shrink-0">{nameOf(approval.subject.agentId)}</span>
          <code className="truncate font-mono text-xs leading-6">
            {visibleText(approval.subject.text.split("\n", 1)[0] ?? "")}
          </code>
        </p>
        {current.state.status === "pending" ? (
          <p className="text-sm text-muted">Your yes counts. It still needs another person’s.</p>
        ) : (
          <Outcome approval={current} maxLines={6} />
        )}
      </div>
      <IconButton icon={X} name="Dismiss" onClick={onClose} />
    </section>
  );
}

function NothingWaits() {
  return (
    <div className="grid place-items-center py-16 text-center">
      <div>
        <CircleCheck aria-hidden className="mx-auto size-8 text-accent" strokeWidth={1.5} />
        <p className="mt-3 font-medium">Nothing is waiting for you</p>
        <p className="mt-1 text-sm text-muted">Commands that need a person appear here.</p>
      </div>
    </div>
  );
}
