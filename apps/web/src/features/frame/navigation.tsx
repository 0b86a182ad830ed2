"use client";

import { Ellipsis } from "lucide-react";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { Kbd } from "@/ui/controls/kbd.tsx";
import { Link } from "@/ui/controls/link.tsx";
import { Dialog } from "@/ui/dialogs/dialog.tsx";
import { isAt, type Page } from "./pages.ts";

const GROUPS = [
  { group: "now", name: "Now" },
  { group: "record", name: "Record" },
  { group: "control", name: "Control" },
] as const;

interface NavigationProps {
  pages: readonly Page[];
  /** How many approvals wait. */
  waiting: number;
}

/** The pages in groups, beside the content on a large screen. */
export function NavigationColumn({ pages, waiting, showsKeys }: NavigationProps & { showsKeys: boolean }) {
  return (
    <nav aria-label="Main" className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto">
      <GroupedPages pages={pages} waiting={waiting} showsKeys={showsKeys} />
    </nav>
  );
}

/** The pages that people need on the go, in a row at the bottom; the others behind "More". */
export function NavigationRow({ pages, waiting }: NavigationProps) {
  const path = usePathname();
  const [isMoreOpen, setIsMoreOpen] = useState(false);
  const more = pages.filter(({ isOnPhone }) => !isOnPhone);
  const isInMore = more.some((page) => isAt(page, path));
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-30 flex h-14 border-t border-line bg-raised pb-[env(safe-area-inset-bottom)] lg:hidden short:h-12"
    >
      {pages
        .filter(({ isOnPhone }) => isOnPhone)
        .map((page) => (
          <Link
            key={page.href}
            href={page.href}
            aria-current={isAt(page, path) ? "page" : undefined}
            className={`${ROW_ITEM} ${isAt(page, path) ? "font-medium text-accent" : "text-muted"}`}
          >
            <page.icon aria-hidden className="size-5" strokeWidth={1.75} />
            {page.name}
            <Waiting page={page} waiting={waiting} className="absolute top-1 left-1/2 ml-1.5" />
          </Link>
        ))}
      <button
        type="button"
        onClick={() => setIsMoreOpen(true)}
        aria-haspopup="dialog"
        className={`cursor-pointer ${ROW_ITEM} ${isInMore ? "font-medium text-accent" : "text-muted"}`}
      >
        <Ellipsis aria-hidden className="size-5" strokeWidth={1.75} />
        More
      </button>
      <Dialog title="More" isOpen={isMoreOpen} onClose={() => setIsMoreOpen(false)}>
        <div className="grid gap-4">
          <GroupedPages pages={more} waiting={waiting} onChoose={() => setIsMoreOpen(false)} />
        </div>
      </Dialog>
    </nav>
  );
}

const ROW_ITEM = "relative flex flex-1 flex-col items-center justify-center gap-0.5 text-2xs";

function GroupedPages({
  pages,
  waiting,
  showsKeys = false,
  onChoose,
}: NavigationProps & { showsKeys?: boolean; onChoose?: () => void }) {
  const foot = pages.filter(({ group }) => group === "foot");
  return (
    <>
      {GROUPS.map(({ group, name }) => {
        const own = pages.filter((page) => page.group === group);
        if (own.length === 0) return null;
        return (
          <div key={group}>
            <p aria-hidden className="px-2.5 pb-1 text-2xs font-medium text-muted">
              {name}
            </p>
            <ul aria-label={name} className="grid gap-0.5">
              {own.map((page) => (
                <li key={page.href}>
                  <PageLink page={page} waiting={waiting} showsKeys={showsKeys} onChoose={onChoose} />
                </li>
              ))}
            </ul>
          </div>
        );
      })}
      <div className="mt-auto grid gap-0.5">
        {foot.map((page) => (
          <PageLink key={page.href} page={page} waiting={waiting} showsKeys={showsKeys} onChoose={onChoose} />
        ))}
      </div>
    </>
  );
}

function PageLink({
  page,
  waiting,
  showsKeys,
  onChoose,
}: {
  page: Page;
  waiting: number;
  showsKeys: boolean;
  onChoose?: (() => void) | undefined;
}) {
  const isHere = isAt(page, usePathname());
  return (
    <Link
      href={page.href}
      onClick={onChoose}
      aria-current={isHere ? "page" : undefined}
      className={`flex h-8 items-center gap-2.5 rounded-md px-2.5 text-sm pointer-coarse:h-11 ${isHere ? "bg-sunken font-medium text-ink" : "text-muted hover:bg-sunken hover:text-ink"}`}
    >
      <page.icon aria-hidden className="size-4" strokeWidth={1.75} />
      {page.name}
      <span className="ml-auto flex items-center gap-1.5">
        <Waiting page={page} waiting={waiting} />
        {showsKeys && <Kbd>{page.key}</Kbd>}
      </span>
    </Link>
  );
}

function Waiting({ page, waiting, className = "" }: { page: Page; waiting: number; className?: string }) {
  if (page.href !== "/approvals" || waiting === 0) return null;
  return (
    <span
      className={`rounded-full bg-attention px-1.5 text-xs leading-5 font-semibold text-on-attention tabular-nums ${className}`}
    >
      {waiting}
    </span>
  );
}
