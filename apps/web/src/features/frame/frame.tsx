"use client";

import { skipToken, useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import { useAttention } from "@/features/attention/use-attention.ts";
import { WaitingEdit } from "@/features/policy/waiting-edit.tsx";
import { useTRPC } from "@/trpc/client.ts";
import { IconButton } from "@/ui/controls/icon-button.tsx";
import { Kbd } from "@/ui/controls/kbd.tsx";
import { Link } from "@/ui/controls/link.tsx";
import { later } from "@/ui/later/later.tsx";
import { useFrameDrawn } from "@/ui/later/use-first-screen.ts";
import { Failure } from "@/ui/states/failure.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { Toasts } from "@/ui/states/toast.tsx";
import { FreezeButton } from "./freeze-button.tsx";
import { KeysHelp } from "./keys/keys-help.tsx";
import { useGoKeys } from "./keys/use-go-keys.ts";
import { useIsMac } from "./keys/use-is-mac.ts";
import { usePaletteKey } from "./keys/use-palette-key.ts";
import { useLiveUpdates } from "./live/use-live-updates.ts";
import { NavigationColumn, NavigationRow } from "./navigation.tsx";
import { NotForRole } from "./not-for-role.tsx";
import { isAt, PAGES, pagesFor } from "./pages.ts";
import { PersonMenu } from "./person-menu.tsx";
import { useHeldNavigation } from "./use-held-navigation.ts";

const Palette = later(() => import("@/features/palette/palette.tsx").then(({ Palette }) => Palette));

const RETRY_MS = 3_000;

/** The frame around every page for signed-in people. */
export function Frame({ children }: { children: ReactNode }) {
  const router = useRouter();
  const path = usePathname();
  const trpc = useTRPC();
  const me = useQuery(
    trpc.gateway.me.queryOptions(undefined, { refetchInterval: ({ state }) => (state.error ? RETRY_MS : false) }),
  );
  const isSignedOut = me.data === null;
  const { isConnected } = useLiveUpdates(me.data != null);
  const { refetch } = me;
  useEffect(() => {
    if (isConnected) return;
    // The reason may be that this person was signed out, which only this query tells.
    const timer = setInterval(() => void refetch(), RETRY_MS);
    return () => clearInterval(timer);
  }, [isConnected, refetch]);
  useFrameDrawn(me.data != null);
  const { waiting } = useAttention(me.data != null);
  const held = useHeldNavigation(isConnected);
  const isMac = useIsMac();
  const frozen = useQuery(trpc.gateway.frozen.queryOptions(me.data ? undefined : skipToken));
  const isFrozen = frozen.data?.some(({ scope }) => scope === "*") ?? false;
  const [isPaletteOpen, setIsPaletteOpen] = useState(false);
  usePaletteKey(() => setIsPaletteOpen(true));
  const pages = me.data ? pagesFor(me.data.role) : [];
  const go = useGoKeys(pages);
  useEffect(() => {
    // After signing in, return to the linked page.
    const here = window.location.pathname + window.location.search;
    if (isSignedOut) router.replace(here === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(here)}`);
  }, [isSignedOut, router]);

  if (!me.data && me.error)
    return (
      <Failure
        message={`The gateway doesn’t answer. Trying again: ${me.error.message}`}
        retry={() => void me.refetch()}
      />
    );
  if (!me.data) return <Loading what="Belay" />;
  const { name, role } = me.data;
  const canOperate = role !== "viewer";
  const here = PAGES.find((page) => isAt(page, path));
  const isForOthers = here !== undefined && !pages.includes(here);
  return (
    <div className="flex min-h-dvh max-lg:flex-col" onClickCapture={held.onClickCapture}>
      <a
        href="#page"
        className="sr-only z-50 rounded-md bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to the content
      </a>
      <aside className="sticky top-0 hidden h-dvh w-52 shrink-0 flex-col gap-4 border-r border-line bg-raised p-3 lg:flex">
        <Brand />
        <button
          type="button"
          onClick={() => setIsPaletteOpen(true)}
          className="flex h-9 cursor-pointer items-center gap-2 rounded-md border border-line bg-surface px-2.5 text-sm text-muted hover:text-ink"
        >
          <Search aria-hidden className="size-4" />
          Go to …
          <span className="ml-auto">
            <Kbd>{isMac ? "⌘K" : "Ctrl K"}</Kbd>
          </span>
        </button>
        <NavigationColumn pages={pages} waiting={waiting} showsKeys={go.isWaiting} />
        <div className="grid gap-2">
          {canOperate && !isFrozen && <FreezeButton isFrozen={false} />}
          <PersonMenu name={name} role={role} />
        </div>
      </aside>
      <header className="sticky top-0 z-30 flex h-14 shrink-0 items-center gap-1 border-b border-line bg-raised px-4 lg:hidden short:h-12">
        <Brand />
        {canOperate && !isFrozen && <FreezeButton isFrozen={false} className="ml-1" />}
        <span className="flex-1" />
        <IconButton icon={Search} name="Go to …" onClick={() => setIsPaletteOpen(true)} />
        <PersonMenu name={name} role={role} />
      </header>
      <div
        id="page"
        tabIndex={-1}
        className="flex min-w-0 flex-1 flex-col pb-14 outline-none lg:h-dvh lg:pb-0 short:pb-12"
      >
        {/* Stays visible while scrolling. */}
        <div className="sticky top-14 z-20 lg:top-0 short:top-12 short:lg:top-0">
          {isFrozen && (
            <div
              role="status"
              className="flex flex-wrap items-center gap-x-4 gap-y-2 bg-danger px-4 py-2 text-sm font-medium text-on-danger sm:px-6"
            >
              <span className="flex-1">Every agent is frozen. Nothing new runs until a person releases them.</span>
              {canOperate && <FreezeButton isFrozen />}
            </div>
          )}
          <WaitingEdit />
          {!isConnected && (
            <p
              role="status"
              className="border-b border-line bg-attention-soft px-4 py-1.5 text-sm text-attention sm:px-6"
            >
              Connection lost, trying again … What you see may be out of date.
              {held.isHolding && " The page you chose opens when the connection is back."}
            </p>
          )}
        </div>
        <div className="flex min-h-0 flex-1 flex-col lg:overflow-y-auto">
          {isForOthers ? <NotForRole page={here} /> : children}
        </div>
      </div>
      <NavigationRow pages={pages} waiting={waiting} />
      {isPaletteOpen && <Palette pages={pages} onClose={() => setIsPaletteOpen(false)} isFrozen={isFrozen} />}
      <KeysHelp pages={pages} />
      <Toasts />
    </div>
  );
}

function Brand() {
  return (
    <Link href="/" className="px-1.5 py-1 font-mono text-sm font-semibold tracking-tight text-accent">
      belay
    </Link>
  );
}
