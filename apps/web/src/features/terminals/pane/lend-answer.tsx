"use client";

import type { TerminalId } from "@belay/protocol";
import { useMutation, useQuery } from "@tanstack/react-query";
import { KeyRound, MessageCircleQuestion, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { visibleText } from "@/features/approvals/card/visible-text.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { ErrorMessage } from "@/ui/states/error-message.tsx";

const BAR = "flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-attention-soft px-4 py-2.5";
const FIELD = "h-10 rounded-md border border-edge bg-surface px-2.5 text-base sm:text-sm";

/** How often to check which program asks: one may start another. */
const LOOK_EVERY_MS = 3_000;

/** Answers one prompt while the agent keeps its terminal. A password is not recorded, and the agent never sees it. */
export function LendAnswer({ id, isSecret }: { id: TerminalId; isSecret: boolean }) {
  return isSecret ? <LendPassword id={id} /> : <LendLine id={id} />;
}

function LendLine({ id }: { id: TerminalId }) {
  const [answer, setAnswer] = useState("");
  const lend = useMutation(useTRPC().terminals.lendAnswer.mutationOptions({ onSettled: () => setAnswer("") }));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        lend.mutate({ id, answer, isSecret: false });
      }}
      className={BAR}
    >
      <MessageCircleQuestion aria-hidden className="size-4 shrink-0 text-attention" />
      <p className="min-w-56 flex-1 text-sm">
        <span className="font-medium text-attention">It’s waiting for an answer.</span> Answer once without taking over.
        Your answer is recorded.
      </p>
      <div className="flex gap-2">
        <input
          type="text"
          aria-label="The answer"
          autoComplete="off"
          autoCapitalize="off"
          value={answer}
          maxLength={1000}
          onChange={(event) => setAnswer(event.target.value)}
          className={`${FIELD} w-32 font-mono`}
        />
        <Button type="submit" disabled={lend.isPending}>
          Send once
        </Button>
      </div>
      <ErrorMessage className="w-full">{lend.error?.message}</ErrorMessage>
    </form>
  );
}

/** Shows which program asks, and blocks answers to the agent's own code. */
function LendPassword({ id }: { id: TerminalId }) {
  const trpc = useTRPC();
  const [answer, setAnswer] = useState("");
  const [trustedPath, setTrustedPath] = useState<string | null>(null);
  const asker = useQuery(trpc.terminals.passwordAsker.queryOptions({ id }, { refetchInterval: LOOK_EVERY_MS })).data;
  const lend = useMutation(trpc.terminals.lendAnswer.mutationOptions({ onSettled: () => setAnswer("") }));
  if (!asker) return null;
  const program = visibleText(asker.path ?? asker.argv[0] ?? "a program");
  const isTrusted = asker.warning === null || (asker.path !== null && trustedPath === asker.path);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isTrusted) lend.mutate({ id, answer, isSecret: true, trustedPath });
      }}
      className={BAR}
    >
      <KeyRound aria-hidden className="size-4 shrink-0 text-attention" />
      <p className="min-w-56 flex-1 text-sm">
        <span className="font-medium text-attention">
          <code className="font-mono break-all">{program}</code> asks for a password.
        </span>{" "}
        {!asker.isAgents && "Answer once without taking over. It isn’t recorded"}
        {!asker.isAgents && (asker.warning === null ? ", and the agent doesn’t see it." : ".")}
      </p>
      {asker.warning !== null && (
        <p role="alert" className="flex w-full items-start gap-2 text-sm text-danger">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {asker.warning}
          {asker.isAgents && " You can’t answer it from here. Take over if you know what it does."}
        </p>
      )}
      {asker.warning !== null && !asker.isAgents && (
        <p className="w-full text-sm text-muted">
          Started as <code className="font-mono break-all text-ink">{visibleText(asker.argv.join(" "))}</code>
        </p>
      )}
      {asker.warning !== null && !asker.isAgents && (
        <label className="flex w-full items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={isTrusted}
            onChange={(event) => setTrustedPath(event.target.checked ? asker.path : null)}
          />
          I know <code className="font-mono break-all">{program}</code> and trust it
        </label>
      )}
      {!asker.isAgents && (
        <div className="flex gap-2">
          <input
            type="password"
            aria-label="The answer"
            autoComplete="off"
            value={answer}
            maxLength={1000}
            onChange={(event) => setAnswer(event.target.value)}
            className={`${FIELD} w-44`}
          />
          <Button type="submit" disabled={lend.isPending || answer === "" || !isTrusted}>
            Send once
          </Button>
        </div>
      )}
      <ErrorMessage className="w-full">{lend.error?.message}</ErrorMessage>
    </form>
  );
}
