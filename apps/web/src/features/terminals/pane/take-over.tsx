"use client";

import type { TerminalId } from "@belay/protocol";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { Choices } from "@/ui/controls/choices.tsx";
import { Confirm } from "@/ui/dialogs/confirm.tsx";
import type { LiveTerminal } from "../screen/live-terminal.ts";

const SPANS = [
  { value: "while", label: "For a while" },
  { value: "good", label: "For good" },
] as const;

/** Explains what taking over means, and does it. */
export function TakeOver({ id, live }: { id: TerminalId; live: LiveTerminal | null }) {
  const trpc = useTRPC();
  const [isAsking, setIsAsking] = useState(false);
  const [span, setSpan] = useState<(typeof SPANS)[number]["value"]>("while");
  const onSuccess = () => {
    setIsAsking(false);
    live?.takePen();
  };
  const borrow = useMutation(trpc.terminals.borrow.mutationOptions({ onSuccess }));
  const keep = useMutation(trpc.terminals.promote.mutationOptions({ onSuccess }));
  const takeOver = span === "while" ? borrow : keep;
  return (
    <>
      <Button look="quiet" size="small" className="mr-1" onClick={() => setIsAsking(true)}>
        Take over
      </Button>
      <Confirm
        title="Take over this terminal?"
        verb="Take it over"
        look="primary"
        isOpen={isAsking}
        isBusy={takeOver.isPending}
        problem={takeOver.error?.message ?? null}
        onConfirm={() => takeOver.mutate({ id })}
        onClose={() => setIsAsking(false)}
      >
        <Choices legend="How long" isLegendHidden choices={SPANS} value={span} onChange={setSpan} />
        <p>You type, and the terminal takes the size of your window. What runs in it goes on.</p>
        {span === "while" ? (
          <p>The agent can read along, but not type, until you hand the terminal back.</p>
        ) : (
          <p>
            The agent can still read it, but no longer type or end it.{" "}
            <strong className="font-medium text-ink">The agent can’t get it back.</strong>
          </p>
        )}
        <p>What you type is recorded, and the policy does not judge it.</p>
      </Confirm>
    </>
  );
}
