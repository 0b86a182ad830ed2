"use client";

import { BellRing, Settings, SquareTerminal } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";

export const PAGES = [
  { href: "/", name: "Terminals", icon: SquareTerminal, covers: ["/", "/terminal"] },
  { href: "/approvals", name: "Approvals", icon: BellRing, covers: ["/approvals"] },
  { href: "/settings", name: "Settings", icon: Settings, covers: ["/settings"] },
] as const;

/** The pages: a column beside them on a large screen, a row under the thumb on a phone. */
export function Navigation({ waiting, look }: { waiting: number; look: "column" | "row" }) {
  const path = usePathname();
  const isColumn = look === "column";
  return (
    <nav
      aria-label="Main"
      className={
        isColumn
          ? "grid gap-0.5"
          : "fixed inset-x-0 bottom-0 z-30 flex h-14 short:h-12 border-t border-line bg-raised pb-[env(safe-area-inset-bottom)] lg:hidden"
      }
    >
      {PAGES.map(({ href, name, icon: Icon, covers }) => {
        const isHere = covers.some((covered) => covered === path);
        const count = href === "/approvals" ? waiting : 0;
        return (
          <Link
            key={href}
            href={href}
            aria-current={isHere ? "page" : undefined}
            className={
              isColumn
                ? `flex h-9 items-center gap-2.5 rounded-md px-2.5 text-sm ${isHere ? "bg-sunken font-medium text-ink" : "text-muted hover:bg-sunken hover:text-ink"}`
                : `relative flex flex-1 flex-col items-center justify-center gap-0.5 text-2xs ${isHere ? "font-medium text-accent" : "text-muted"}`
            }
          >
            <Icon aria-hidden className={isColumn ? "size-4" : "size-5"} strokeWidth={1.75} />
            {name}
            {count > 0 && (
              <span
                className={`rounded-full bg-attention px-1.5 text-xs leading-5 font-semibold text-on-attention tabular-nums ${isColumn ? "ml-auto" : "absolute top-1 left-1/2 ml-1.5"}`}
              >
                {count}
              </span>
            )}
          </Link>
        );
      })}
    </nav>
  );
}
