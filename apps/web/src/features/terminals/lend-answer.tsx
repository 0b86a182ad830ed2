"use client";

import type { TerminalId } from "@belay/protocol";
import { useMutation } from "@tanstack/react-query";
import { KeyRound, MessageCircleQuestion } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/button.tsx";

/** One answer at a prompt, while the agent keeps its terminal. A password is on no record, and the agent never sees it. */
export function LendAnswer({ id, isSecret }: { id: TerminalId; isSecret: boolean }) {
  const [answer, setAnswer] = useState("");
  const lend = useMutation(useTRPC().terminals.lendAnswer.mutationOptions({ onSettled: () => setAnswer("") }));
  const Icon = isSecret ? KeyRound : MessageCircleQuestion;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        lend.mutate({ id, answer, isSecret });
      }}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-attention-soft px-4 py-2.5"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-attention" />
      <p className="min-w-56 flex-1 text-sm">
        <span className="font-medium text-attention">
          {isSecret ? "It asks for a password." : "It’s waiting for an answer."}
        </span>{" "}
        {isSecret
          ? "Answer once without taking over. It isn’t recorded, and the agent doesn’t see it."
          : "Answer once without taking over. Your answer is on record."}
      </p>
      <div className="flex gap-2">
        <input
          type={isSecret ? "password" : "text"}
          aria-label="The answer"
          autoComplete="off"
          autoCapitalize="off"
          value={answer}
          maxLength={1000}
          onChange={(event) => setAnswer(event.target.value)}
          className={`h-10 rounded-md border border-edge bg-surface px-2.5 text-base sm:text-sm ${isSecret ? "w-44" : "w-32 font-mono"}`}
        />
        <Button type="submit" disabled={lend.isPending || (isSecret && answer === "")}>
          Send once
        </Button>
      </div>
      {lend.error && (
        <p role="alert" className="w-full text-sm text-danger">
          {lend.error.message}
        </p>
      )}
    </form>
  );
}
