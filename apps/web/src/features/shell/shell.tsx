"use client";

import { skipToken, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect } from "react";
import { useWaitingCount } from "@/features/approvals/use-waiting-count.ts";
import { signOut } from "@/features/sign-in/auth-api.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Failure } from "@/ui/failure.tsx";
import { Loading } from "@/ui/loading.tsx";
import { FreezeButton } from "./freeze-button.tsx";
import { useLiveUpdates } from "./use-live-updates.ts";

/** The frame around every page of somebody who is signed in. */
export function Shell({ children }: { children: ReactNode }) {
  const router = useRouter();
  const trpc = useTRPC();
  const me = useQuery(trpc.gateway.me.queryOptions());
  const isSignedOut = me.data === null;
  const waiting = useWaitingCount(me.data != null);
  useLiveUpdates(me.data != null);
  const frozen = useQuery(trpc.gateway.frozen.queryOptions(me.data ? undefined : skipToken));
  const isFrozen = frozen.data?.some(({ scope }) => scope === "*") ?? false;
  useEffect(() => {
    if (isSignedOut) router.replace("/sign-in");
  }, [isSignedOut, router]);

  if (me.error)
    return <Failure message={`The gateway does not answer: ${me.error.message}`} retry={() => void me.refetch()} />;
  if (!me.data) return <Loading what="Belay" />;
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex h-14 shrink-0 items-center gap-3 border-b border-line bg-raised px-4 sm:px-6">
        <Link href="/" className="hidden font-mono text-sm font-semibold tracking-tight text-accent min-[420px]:inline">
          belay
        </Link>
        <nav aria-label="Main" className="flex flex-1 gap-3 text-sm sm:ml-3 sm:gap-5">
          <Link href="/">Terminals</Link>
          <Link href="/approvals">
            Approvals
            {waiting > 0 && (
              <span className="ml-1.5 rounded-full bg-attention px-1.5 py-0.5 text-xs font-semibold text-surface tabular-nums">
                {waiting}
              </span>
            )}
          </Link>
        </nav>
        {me.data.role !== "viewer" && <FreezeButton isFrozen={isFrozen} />}
        <span className="hidden text-sm text-muted sm:inline">
          {me.data.name} · {me.data.role}
        </span>
        <button
          type="button"
          className="cursor-pointer text-sm whitespace-nowrap text-muted underline-offset-4 hover:text-ink hover:underline"
          onClick={() => void signOut().finally(() => window.location.assign("/sign-in"))}
        >
          Sign out
        </button>
      </header>
      {isFrozen && (
        <p role="status" className="bg-danger px-4 py-2 text-sm font-medium text-surface sm:px-6">
          Every agent is frozen: nothing new runs until somebody releases them.
        </p>
      )}
      {children}
    </div>
  );
}
