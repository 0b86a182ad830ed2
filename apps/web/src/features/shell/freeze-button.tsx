"use client";

import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.ts";

/** Stops every agent with one press, because a stop that asks first comes too late; releasing asks. */
export function FreezeButton({ isFrozen }: { isFrozen: boolean }) {
  const trpc = useTRPC();
  const freeze = useMutation(trpc.gateway.freeze.mutationOptions());
  const release = useMutation(trpc.gateway.release.mutationOptions());
  const error = freeze.error ?? release.error;
  function press() {
    if (!isFrozen) freeze.mutate({ scope: "*" });
    else if (window.confirm("Let every agent work again?")) release.mutate({ scope: "*" });
  }
  const verb = isFrozen ? "Release" : "Freeze";
  return (
    <button
      type="button"
      aria-label={error ? "Try again" : `${verb} all`}
      onClick={press}
      disabled={freeze.isPending || release.isPending}
      title={error?.message}
      className="h-8 cursor-pointer rounded-md border border-danger px-3 text-sm font-medium whitespace-nowrap text-danger hover:bg-danger hover:text-surface"
    >
      {error ? "Try again" : verb}
      {!error && <span className="hidden sm:inline">&nbsp;all</span>}
    </button>
  );
}
