"use client";

import type { TerminalInfo } from "@belay/protocol";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.ts";

const look = "cursor-pointer text-accent underline-offset-4 hover:underline disabled:opacity-50";

/** What an operator can do to a terminal besides watching it. */
export function TerminalActions({ terminal }: { terminal: TerminalInfo }) {
  const trpc = useTRPC();
  const me = useQuery(trpc.gateway.me.queryOptions());
  const takeOver = useMutation(trpc.terminals.promote.mutationOptions());
  const end = useMutation(trpc.terminals.kill.mutationOptions());
  const error = takeOver.error ?? end.error;
  if (!me.data || me.data.role === "viewer" || terminal.state.status !== "running") return null;

  function askToTakeOver() {
    const meaning =
      "Take this terminal over? You hold it from then on: the agent can watch it, but no longer type or end it. There is no way back.";
    if (window.confirm(meaning)) takeOver.mutate({ id: terminal.id });
  }
  function askToEnd() {
    if (window.confirm("End this terminal and everything that runs in it?")) end.mutate({ id: terminal.id });
  }
  return (
    <>
      {terminal.owner === "agent" && (
        <button type="button" className={look} disabled={takeOver.isPending} onClick={askToTakeOver}>
          Take over
        </button>
      )}
      <button type="button" className={look} disabled={end.isPending} onClick={askToEnd}>
        End
      </button>
      {error && (
        <span role="alert" className="text-danger">
          {error.message}
        </span>
      )}
    </>
  );
}
