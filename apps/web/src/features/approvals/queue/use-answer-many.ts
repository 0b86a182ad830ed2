"use client";

import type { Approval } from "@belay/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC, useTRPCClient } from "@/trpc/client.ts";
import { toast } from "@/ui/states/toast.tsx";

/** One answer for several questions, sent one by one; questions that others answered meanwhile keep that answer. */
export function useAnswerMany(onDone: () => void) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ decision, approvals, message }: Given) => {
      const answers = await Promise.allSettled(
        approvals.map(({ id }) =>
          client.approvals.decide.mutate(
            decision === "approve" ? { id, decision } : { id, decision, ...(message ? { message } : {}) },
          ),
        ),
      );
      return { decision, given: answers.filter(({ status }) => status === "fulfilled").length, of: answers.length };
    },
    onSuccess: ({ decision, given, of }) => {
      const words = decision === "approve" ? "approved" : "refused";
      toast(given === of ? `${given} ${words}.` : `${given} of ${of} ${words}; the others could not be answered.`);
      onDone();
    },
    onSettled: () => queryClient.invalidateQueries(trpc.approvals.pathFilter()),
  });
  return {
    isPending,
    answer: (decision: "approve" | "deny", approvals: readonly Approval[], message?: string) => {
      if (approvals.length > 0) mutate({ decision, approvals, ...(message ? { message } : {}) });
    },
  };
}

interface Given {
  decision: "approve" | "deny";
  approvals: readonly Approval[];
  message?: string;
}
