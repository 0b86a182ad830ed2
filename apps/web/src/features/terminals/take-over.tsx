"use client";

import type { TerminalId } from "@belay/protocol";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/button.tsx";
import { Confirm } from "@/ui/confirm.tsx";

/** Says what it means to take a terminal over, and does it. */
export function TakeOver({ id }: { id: TerminalId }) {
  const [isAsking, setIsAsking] = useState(false);
  const takeOver = useMutation(useTRPC().terminals.promote.mutationOptions({ onSuccess: () => setIsAsking(false) }));
  return (
    <>
      <Button look="quiet" size="small" className="mr-1" onClick={() => setIsAsking(true)}>
        Take over
      </Button>
      <Confirm
        title="Take this terminal over?"
        verb="Take it over"
        look="primary"
        isOpen={isAsking}
        isBusy={takeOver.isPending}
        problem={takeOver.error?.message ?? null}
        onConfirm={() => takeOver.mutate({ id })}
        onClose={() => setIsAsking(false)}
      >
        <p>From then on you hold the pen: you type, and it takes the size of your window.</p>
        <p>
          The agent can still read it, but no longer type or end it. What runs in it goes on.{" "}
          <strong className="font-medium text-ink">There is no way back.</strong>
        </p>
        <p>What you type is recorded with the terminal, and is not judged by the policy.</p>
      </Confirm>
    </>
  );
}
