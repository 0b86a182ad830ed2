"use client";

import type { Approval, ApprovalId } from "@belay/protocol";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useRouter, useSearchParams } from "next/navigation";
import { useEffect, useMemo, useRef, useState } from "react";
import { useMe } from "@/features/frame/use-me.ts";
import { useShortcuts } from "@/features/frame/use-shortcuts.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/button.tsx";
import { Failure } from "@/ui/failure.tsx";
import { Loading } from "@/ui/loading.tsx";
import { toast } from "@/ui/toast.tsx";
import type { Answer, AnswerMode } from "./answer.ts";
import { AnswerBar } from "./answer-bar.tsx";
import { ApprovalDetail } from "./approval-detail.tsx";
import { ApprovalRow } from "./approval-row.tsx";
import { KeysHelp } from "./keys-help.tsx";
import { Proposals } from "./proposals.tsx";
import { QueuePager } from "./queue-pager.tsx";
import { ReadGate, useReadGate } from "./read-gate.tsx";
import { canEdit, type ScopeType, scopeOf, scopesFor } from "./scope-picker.tsx";
import { useAgents } from "./use-agents.ts";
import { useKeyGuard } from "./use-key-guard.ts";
import { useSelection } from "./use-selection.ts";
import { useSettledNotice } from "./use-settled-notice.ts";

const WAIT_FOR_KEYS = "Click into this page first, or press j or k and wait a moment. Then keys answer.";

/** Everything that waits for a person, oldest first. The frame around the page keeps the list fresh. */
export function ApprovalQueue() {
  const approvals = useQuery(useTRPC().approvals.list.queryOptions({ state: "pending" }));
  if (approvals.error) return <Failure message={approvals.error.message} retry={() => void approvals.refetch()} />;
  if (!approvals.data) return <Loading what="approvals" />;
  return <Queue approvals={approvals.data} />;
}

function Queue({ approvals }: { approvals: Approval[] }) {
  const router = useRouter();
  const agents = useAgents();
  const { me } = useMe();
  const ids = useMemo(() => approvals.map(({ id }) => id), [approvals]);
  const selection = useSelection<ApprovalId>(ids, useSearchParams().get("id"));
  const approval = approvals.find(({ id }) => id === selection.selected) ?? null;
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  // The policy may want a certain role to answer this one.
  const canAnswer = approval?.approvers.some((role) => role === me?.role) === true;
  const reading = useReadGate();
  const form = useAnswerForm(approval, selection.isReady && canAnswer && reading.isRead);
  const guard = useKeyGuard();
  /** Keys count only where they were meant for this page; one that answers takes more than one that leads on. */
  const guarded = (act: () => void, { answers = false } = {}) => {
    return () => {
      if (answers ? guard.isOpen : guard.isArmed) act();
      else toast(WAIT_FOR_KEYS);
    };
  };
  useSettledNotice(agents.nameOf);

  useShortcuts({
    j: () => selection.move(1),
    k: () => selection.move(-1),
    "?": () => setIsHelpOpen(true),
    Escape: () => form.setMode("reading"),
    o: approval?.subject.terminalId ? () => router.push(`/terminal?id=${approval.subject.terminalId}`) : undefined,
    ...(canAnswer && form.mode === "reading"
      ? {
          a: guarded(form.approve, { answers: true }),
          d: guarded(() => form.setMode("refusing")),
          e: canEdit(approval) ? guarded(() => form.setMode("editing")) : undefined,
          ...Object.fromEntries(
            scopesFor(approval).map((scope, index) => [String(index + 1), guarded(() => form.setScope(scope))]),
          ),
        }
      : {}),
    ...(canAnswer && form.mode === "confirming"
      ? { y: guarded(() => form.answer({ decision: "approve", scope: scopeOf(form.scope) }), { answers: true }) }
      : {}),
  });

  return (
    <main className="mx-auto flex w-full max-w-6xl flex-1 flex-col p-4 sm:p-6">
      <header className="flex items-center gap-3">
        <h1 className="text-xl font-semibold tracking-tight">Approvals</h1>
        <p role="status" className="text-sm text-muted">
          {approvals.length > 0 && `${approvals.length} waiting`}
        </p>
        <Button look="plain" size="small" className="ml-auto max-md:hidden" onClick={() => setIsHelpOpen(true)}>
          Keys <kbd className="font-mono">?</kbd>
        </Button>
      </header>
      {approval === null ? (
        <NothingWaits />
      ) : (
        <div className="mt-4 grid min-h-0 flex-1 items-start gap-4 lg:grid-cols-[18rem_minmax(0,1fr)] lg:gap-6">
          <QueuePager
            at={ids.indexOf(approval.id)}
            of={ids.length}
            onPrevious={() => selection.move(-1)}
            onNext={() => selection.move(1)}
          />
          <ol aria-label="Waiting for you" className="grid grid-cols-[minmax(0,1fr)] gap-1 max-lg:hidden">
            {approvals.map((item) => (
              <ApprovalRow
                key={item.id}
                approval={item}
                agentName={agents.nameOf(item.subject.agentId)}
                isSelected={item.id === approval.id}
                onSelect={() => selection.select(item.id)}
              />
            ))}
          </ol>
          <ReadGate gate={reading.gate}>
            <SelectedApproval key={approval.id} approval={approval} agentName={agents.nameOf(approval.subject.agentId)}>
              {canAnswer && !reading.isRead && (
                <p className="mb-3 text-sm text-attention">
                  Read all of it first: there is more than what is in sight.
                </p>
              )}
              {form.problem && (
                <p role="alert" className="mb-3 text-sm text-danger">
                  {form.problem}
                </p>
              )}
              {canAnswer ? (
                <AnswerBar
                  approval={approval}
                  profile={agents.profileOf(approval.subject.agentId)}
                  mode={form.mode}
                  scope={form.scope}
                  isReady={form.isReady}
                  onMode={form.setMode}
                  onScope={form.setScope}
                  onApprove={form.approve}
                  onAnswer={form.answer}
                />
              ) : (
                <p className="text-sm text-muted">
                  The policy wants the role {approval.approvers.join(" or ")} to answer this.
                </p>
              )}
            </SelectedApproval>
          </ReadGate>
        </div>
      )}
      <Proposals />
      <KeysHelp isOpen={isHelpOpen} onClose={() => setIsHelpOpen(false)} />
    </main>
  );
}

function SelectedApproval({
  approval,
  agentName,
  children,
}: {
  approval: Approval;
  agentName: string;
  children: React.ReactNode;
}) {
  const region = useRef<HTMLElement>(null);
  useEffect(() => {
    // The button that had the focus is gone with what it answered: whoever reads with their ears goes on here.
    if (document.activeElement === document.body) region.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={`${agentName} asks`}
      className="min-w-0 rounded-xl border border-line bg-raised outline-none"
    >
      <div className="p-4 sm:p-5">
        <ApprovalDetail approval={approval} agentName={agentName} />
      </div>
      <div className="sticky bottom-14 rounded-b-xl border-t border-line bg-raised p-4 sm:px-5 lg:bottom-0">
        {children}
      </div>
    </section>
  );
}

/** The answer that is being given to one question. It starts anew with the next. */
function useAnswerForm(approval: Approval | null, isSettled: boolean) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [state, setState] = useState<{ id: ApprovalId | null; mode: AnswerMode; scope: ScopeType }>({
    id: null,
    mode: "reading",
    scope: "once",
  });
  const decide = useMutation(
    trpc.approvals.decide.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(trpc.approvals.list.queryFilter()),
    }),
  );
  const id = approval?.id ?? null;
  const current = state.id === id ? state : ({ id, mode: "reading", scope: "once" } as const);
  const isReady = isSettled && !decide.isPending;
  const setMode = (mode: AnswerMode) => setState({ ...current, mode });

  function answer(given: Answer) {
    if (isReady && id !== null) decide.mutate({ id, ...given });
  }
  function approve() {
    if (!isReady || approval === null) return;
    if (approval.verdict.level === "dangerous") setMode("confirming");
    else answer({ decision: "approve", scope: scopeOf(current.scope) });
  }
  return {
    mode: current.mode,
    scope: current.scope,
    isReady,
    problem: decide.error && decide.variables?.id === id ? decide.error.message : null,
    setMode,
    setScope: (scope: ScopeType) => setState({ ...current, scope }),
    answer,
    approve,
  };
}

function NothingWaits() {
  return (
    <div className="grid flex-1 place-items-center pb-24 text-center">
      <div>
        <CircleCheck aria-hidden className="mx-auto size-8 text-accent" strokeWidth={1.5} />
        <p className="mt-3 font-medium">Nothing is waiting for you</p>
        <p className="mt-1 text-sm text-muted">What needs a person appears here by itself.</p>
      </div>
    </div>
  );
}
