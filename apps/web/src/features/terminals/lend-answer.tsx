"use client";

import type { TerminalId } from "@belay/protocol";
import { useMutation } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/button.tsx";

/** One answer at a password prompt. The agent keeps its terminal and never sees what was typed. */
export function LendAnswer({ id }: { id: TerminalId }) {
  const [answer, setAnswer] = useState("");
  const lend = useMutation(useTRPC().terminals.lendAnswer.mutationOptions({ onSettled: () => setAnswer("") }));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        lend.mutate({ id, answer });
      }}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-attention-soft px-4 py-2.5"
    >
      <KeyRound aria-hidden className="size-4 shrink-0 text-attention" />
      <p className="min-w-56 flex-1 text-sm">
        <span className="font-medium text-attention">It asks for a password.</span> You can answer once without taking
        over. What you type is not recorded, and the agent does not see it.
      </p>
      <div className="flex gap-2">
        <input
          type="password"
          aria-label="The answer"
          autoComplete="off"
          value={answer}
          maxLength={1000}
          onChange={(event) => setAnswer(event.target.value)}
          className="h-10 w-44 rounded-md border border-edge bg-surface px-2.5 text-base sm:text-sm"
        />
        <Button type="submit" disabled={lend.isPending || answer === ""}>
          Lend it
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
