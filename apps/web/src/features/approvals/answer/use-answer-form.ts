"use client";

import type { Approval, ApprovalId } from "@belay/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.ts";
import type { Answer, AnswerMode } from "./answer.ts";
import { type ScopeType, scopeOf } from "./scope-picker.tsx";

/** The state of the answer to one question. Reset for the next one. */
export function useAnswerForm(
  approval: Approval | null,
  { isSettled, canRun, onAnswered }: { isSettled: boolean; canRun: boolean; onAnswered?(approval: Approval): void },
) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [state, setState] = useState<{ id: ApprovalId | null; mode: AnswerMode; scope: ScopeType }>({
    id: null,
    mode: "reading",
    scope: "once",
  });
  const decide = useMutation(
    trpc.approvals.decide.mutationOptions({
      onSuccess: (settled) => onAnswered?.(settled),
      onSettled: () => queryClient.invalidateQueries(trpc.approvals.pathFilter()),
    }),
  );
  const id = approval?.id ?? null;
  const current = state.id === id ? state : ({ id, mode: "reading", scope: "once" } as const);
  const isReady = isSettled && !decide.isPending;
  const setMode = (mode: AnswerMode) => setState({ ...current, mode });

  function answer(given: Answer) {
    if (!isReady || id === null || (given.decision === "approve" && !canRun)) return;
    decide.mutate({ id, ...given });
  }
  function approve() {
    if (!isReady || !canRun || approval === null) return;
    if (approval.verdict.level === "dangerous") setMode("confirming");
    else answer({ decision: "approve", scope: scopeOf(current.scope) });
  }
  return {
    mode: current.mode,
    scope: current.scope,
    /** Whether an answer is possible; whether approving is possible, too. */
    isReady,
    canApprove: isReady && canRun,
    problem: decide.error && decide.variables?.id === id ? decide.error.message : null,
    setMode,
    setScope: (scope: ScopeType) => setState({ ...current, scope }),
    answer,
    approve,
  };
}
