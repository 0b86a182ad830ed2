"use client";

import { useMutation } from "@tanstack/react-query";
import { Play, Snowflake } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.ts";
import { Confirm } from "@/ui/dialogs/confirm.tsx";
import { useFreeze } from "./use-freeze.ts";

/** Freezes every agent with one click, because an emergency stop must not wait for a confirmation; releasing asks. */
export function FreezeButton({ isFrozen, className = "" }: { isFrozen: boolean; className?: string }) {
  const trpc = useTRPC();
  const [isAsking, setIsAsking] = useState(false);
  const freeze = useFreeze();
  const release = useMutation(trpc.gateway.release.mutationOptions({ onSuccess: () => setIsAsking(false) }));
  const Icon = isFrozen ? Play : Snowflake;
  return (
    <>
      <button
        type="button"
        onClick={() => (isFrozen ? setIsAsking(true) : freeze.mutate({ scope: "*" }))}
        disabled={freeze.isPending}
        className={`inline-flex h-9 pointer-coarse:h-11 cursor-pointer items-center justify-center gap-2 rounded-md border px-3 text-sm font-medium whitespace-nowrap ${
          isFrozen
            ? "border-on-danger bg-on-danger text-danger"
            : "border-line text-danger hover:border-danger hover:bg-danger-soft"
        } ${className}`}
      >
        <Icon aria-hidden className="size-4" />
        {isFrozen ? "Release all" : "Freeze all"}
      </button>
      <Confirm
        title="Release every agent?"
        verb="Release them"
        look="primary"
        isOpen={isAsking}
        isBusy={release.isPending}
        problem={release.error?.message ?? null}
        onConfirm={() => release.mutate({ scope: "*" })}
        onClose={() => setIsAsking(false)}
      >
        <p>
          Commands refused meanwhile don’t run by themselves: agents have to ask again. Pending ones can be answered.
        </p>
      </Confirm>
    </>
  );
}
