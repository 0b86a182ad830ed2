"use client";

import type { Approval, ApprovalId } from "@belay/protocol";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { showKeys } from "@/features/frame/keys/keys-help.tsx";
import { useShortcuts } from "@/features/frame/keys/use-shortcuts.ts";
import { useAddressed } from "@/features/frame/use-addressed.ts";
import { useMe } from "@/features/frame/use-me.ts";
import { isOnMachine, MachineFilter } from "@/features/machines/machine-filter.tsx";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { ListDetail } from "@/ui/lists/list-detail.tsx";
import { Failure } from "@/ui/states/failure.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { toast } from "@/ui/states/toast.tsx";
import { ApprovalAnswer } from "../answer/approval-answer.tsx";
import { canEdit, scopeOf, scopesFor } from "../answer/scope-picker.tsx";
import { useAnswerForm } from "../answer/use-answer-form.ts";
import { useKeyGuard, WAIT_FOR_KEYS } from "../answer/use-key-guard.ts";
import { Proposals } from "../card/proposals.tsx";
import { ReadGate, useReadGate } from "../reading/read-gate.tsx";
import { useAgents } from "../use-agents.ts";
import { useFrozen } from "../use-frozen.ts";
import { useRefuseOnly } from "../use-refuse-only.ts";
import { canAnswerInBulk, groupEqual, isAlike } from "./alike.ts";
import { AnsweredList } from "./answered-list.tsx";
import { ApprovalRow } from "./approval-row.tsx";
import { BulkAnswer } from "./bulk-answer.tsx";
import { ClearOld } from "./clear-old.tsx";
import { JustAnswered } from "./just-answered.tsx";
import { QueuePager } from "./queue-pager.tsx";
import { SelectedApproval } from "./selected-approval.tsx";
import { SettledApproval } from "./settled-approval.tsx";
import { useAnswerMany } from "./use-answer-many.ts";
import { type QueueAddress, useQueueAddress } from "./use-queue-address.ts";
import { useSelection } from "./use-selection.ts";
import { useSettledNotice } from "./use-settled-notice.ts";

/** All pending questions, oldest first. The frame around the page keeps the list fresh. */
export function ApprovalQueue() {
  const approvals = useQuery(useTRPC().approvals.list.queryOptions({ state: "pending" }));
  const address = useQueueAddress();
  const [machine, setMachine] = useAddressed("machine");
  const { data: all } = approvals;
  // A linked question is shown whatever the filter. Remembered, because the selection follows changes of the list.
  const shown = useMemo(
    () => all?.filter(({ id, subject }) => id === address.linked || isOnMachine(machine, subject)),
    [all, address.linked, machine],
  );
  if (approvals.error && !approvals.data)
    return <Failure message={approvals.error.message} retry={() => void approvals.refetch()} />;
  if (!all || !shown) return <Loading what="approvals" />;
  return (
    <Queue
      // A new link resets the selection.
      key={address.arrivals}
      approvals={shown}
      hidden={all.length - shown.length}
      linked={address.linked}
      show={address.show}
      filter={<MachineFilter value={machine} onChange={setMachine} />}
    />
  );
}

function Queue({
  approvals: waiting,
  hidden,
  linked,
  show,
  filter,
}: {
  approvals: Approval[];
  /** How many more wait that the filter hides. */
  hidden: number;
  filter: ReactNode;
  linked: string | null;
  show: QueueAddress["show"];
}) {
  const router = useRouter();
  const agents = useAgents();
  const { me } = useMe();
  const isFrozen = useFrozen();
  const refuseOnly = useRefuseOnly();
  const { approvals, sameAsBefore } = useMemo(() => groupEqual(waiting), [waiting]);
  const ids = useMemo(() => approvals.map(({ id }) => id), [approvals]);
  const selection = useSelection<ApprovalId>(ids, linked);
  // A link to a settled question shows that question, never another in its place.
  const [settledId, setSettledId] = useState<ApprovalId | null>(() =>
    linked !== null && !ids.some((id) => id === linked) ? (linked as ApprovalId) : null,
  );
  const [answered, setAnswered] = useState<Approval | null>(null);
  const [pickedIds, setPickedIds] = useState<ReadonlySet<ApprovalId>>(new Set());
  /** On a phone: the question, not the list. */
  const [isOpen, setIsOpen] = useState(linked !== null);

  const approval = settledId === null ? (approvals.find(({ id }) => id === selection.selected) ?? null) : null;
  const picked = approvals.filter(({ id }) => pickedIds.has(id));
  const isSweeping = settledId === null && picked.length > 1;
  // The policy may require a certain role for this one.
  const mayAnswer = ({ approvers }: Approval) => approvers.some((role) => role === me?.role);
  const canAnswer = approval !== null && mayAnswer(approval);
  const isRefuseOnly = approval !== null && refuseOnly(approval.subject.agentId);
  const canApproveTogether = (each: Approval) => canAnswerInBulk(each) && !refuseOnly(each.subject.agentId);
  const reading = useReadGate();
  const form = useAnswerForm(approval, {
    isSettled: selection.isReady && canAnswer && !isSweeping,
    canRun: approval !== null && reading.isRead && !isRefuseOnly && !isFrozen(approval.subject.agentId),
    onAnswered: setAnswered,
  });
  const readingTogether = useReadGate();
  const many = useAnswerMany(() => setPickedIds(new Set()));
  const canSweepNow = !many.isPending && picked.every((each) => mayAnswer(each) && !isFrozen(each.subject.agentId));
  const canRunTogether = readingTogether.isRead;
  const guard = useKeyGuard();
  /** Keys count only if they were meant for this page. */
  const guarded = (act: () => void) => () => (guard.isOpen ? act() : toast(WAIT_FOR_KEYS));
  useSettledNotice(agents.nameOf);
  // A reload shows the same again: an answered question leaves the address with the queue.
  useEffect(() => {
    if (isOpen && settledId === null) show(selection.selected);
  }, [isOpen, settledId, selection.selected, show]);

  function select(id: ApprovalId) {
    setSettledId(null);
    selection.select(id);
  }
  function open(id: ApprovalId) {
    // A step of its own, so that the browser's back button shows the list again on a phone.
    if (!isOpen) show(id, { isStep: true });
    select(id);
    setIsOpen(true);
  }
  function backToList() {
    show(null);
    setSettledId(null);
    setIsOpen(false);
  }
  function move(step: 1 | -1) {
    setIsOpen(true);
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
    const alike = approvals.filter((other) => isAlike(approval, other) && canAnswerInBulk(other));
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
    J: guarded(pickOn),
    s: guarded(pickAlike),
    "?": showKeys,
    Escape: back,
    o: approval?.subject.terminalId
      ? guarded(() => router.push(`/terminal?id=${approval.subject.terminalId}`))
      : undefined,
    ...(isSweeping
      ? {
          y: guarded(() => canSweepNow && canRunTogether && many.answer("approve", picked.filter(canApproveTogether))),
        }
      : {}),
    ...(canAnswer && !isSweeping && form.mode === "reading"
      ? {
          d: guarded(() => form.setMode("refusing")),
        }
      : {}),
    ...(canAnswer && !isRefuseOnly && !isSweeping && form.mode === "reading"
      ? {
          a: guarded(form.approve),
          e: canEdit(approval) ? guarded(() => form.setMode("editing")) : undefined,
          ...Object.fromEntries(
            scopesFor(approval).map((scope, index) => [String(index + 1), guarded(() => form.setScope(scope))]),
          ),
        }
      : {}),
    ...(canAnswer && !isSweeping && form.mode === "confirming"
      ? { y: guarded(() => form.answer({ decision: "approve", scope: scopeOf(form.scope) })) }
      : {}),
  });

  const isNothingShown = approval === null && settledId === null;
  const aside = (
    <>
      <AnsweredList nameOf={agents.nameOf} />
      <Proposals />
    </>
  );
  return (
    <ListDetail
      title="Approvals"
      note={<p role="status">{waitingWords(approvals.length, hidden)}</p>}
      actions={
        <>
          {filter}
          <ClearOld approvals={approvals.filter(mayAnswer)} />
          <Button look="plain" size="small" className="max-md:hidden" onClick={showKeys}>
            Keys <kbd className="font-mono">?</kbd>
          </Button>
        </>
      }
      notice={
        answered &&
        settledId === null && (
          <JustAnswered approval={answered} nameOf={agents.nameOf} onClose={() => setAnswered(null)} />
        )
      }
      list={
        <div className="lg:overflow-y-auto lg:p-0.5">
          {isNothingShown ? (
            <>
              <NothingWaits hidden={hidden} />
              {aside}
            </>
          ) : (
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
                  onOpen={() => open(item.id)}
                />
              ))}
            </ol>
          )}
        </div>
      }
      focus="detail"
      // On a phone the list comes first, unless it has only one item.
      turn={isOpen || ids.length === 1 || settledId !== null ? "detail" : "list"}
      back={ids.length > 1 || (settledId !== null && ids.length > 0) ? `All ${ids.length}` : null}
      backBeside={
        approval && (
          <QueuePager
            at={ids.indexOf(approval.id)}
            of={ids.length}
            onPrevious={() => move(-1)}
            onNext={() => move(1)}
          />
        )
      }
      onBack={backToList}
      detailName="Question"
      detail={
        isNothingShown ? null : (
          <>
            {settledId !== null && <SettledApproval id={settledId} nameOf={agents.nameOf} />}
            {isSweeping && (
              <BulkAnswer
                // Other commands have to be read, too.
                key={[...pickedIds].join(" ")}
                picked={picked}
                gate={readingTogether.gate}
                isReady={canSweepNow}
                isRead={canRunTogether}
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
                    reading={reading}
                    isFrozen={isFrozen(approval.subject.agentId)}
                    canAnswer={canAnswer}
                    isRefuseOnly={isRefuseOnly}
                  />
                </SelectedApproval>
              </ReadGate>
            )}
            {aside}
          </>
        )
      }
    />
  );
}

function waitingWords(shown: number, hidden: number): string | null {
  if (hidden > 0) return `${shown} waiting, ${hidden} more on other machines`;
  return shown > 0 ? `${shown} waiting` : null;
}

function NothingWaits({ hidden }: { hidden: number }) {
  return (
    <div className="grid place-items-center py-16 text-center">
      <div>
        <CircleCheck aria-hidden className="mx-auto size-8 text-accent" strokeWidth={1.5} />
        <p className="mt-3 font-medium">
          {hidden > 0 ? "Nothing waits on this machine" : "Nothing is waiting for you"}
        </p>
        <p className="mt-1 text-sm text-muted">
          {hidden > 0
            ? "Other machines have questions: choose any machine."
            : "Commands that need a person appear here."}
        </p>
      </div>
    </div>
  );
}
