"use client";

import { skipToken, useQuery } from "@tanstack/react-query";
import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { levelLabel } from "@/features/approvals/card/level-label.ts";
import { visibleText } from "@/features/approvals/card/visible-text.ts";
import { useAgents } from "@/features/approvals/use-agents.ts";
import { useLiveEvent } from "@/features/frame/live/live-events.ts";
import { useTRPC } from "@/trpc/client.ts";
import { playChime } from "./chime.ts";
import { drawFavicon } from "./favicon.ts";
import { notify } from "./notify.ts";
import { loadPreferences } from "./preferences.ts";

const MAX_BODY_LENGTH = 140;

const TITLES: Readonly<Record<string, string>> = {
  "/": "Terminals",
  "/terminal": "Terminal",
  "/approvals": "Approvals",
  "/settings": "Settings",
};

/** How many commands wait: in the tab's title and icon and, if enabled, as notification and sound. */
export function useAttention(isSignedIn: boolean): { waiting: number } {
  const approvals = useQuery(useTRPC().approvals.list.queryOptions(isSignedIn ? { state: "pending" } : skipToken));
  const agents = useAgents({ isSignedIn });
  const waiting = approvals.data?.length ?? 0;
  const path = usePathname();
  useEffect(() => {
    const page = TITLES[path] ?? "Belay";
    const title = page === "Belay" ? page : `${page} · Belay`;
    document.title = waiting > 0 ? `(${waiting}) ${title}` : title;
    drawFavicon(waiting);
  }, [waiting, path]);
  useLiveEvent((event) => {
    if (event.type !== "approval" || event.event !== "asked") return;
    const { id, subject, verdict } = event.approval;
    const preferences = loadPreferences();
    if (preferences.sound) playChime();
    // No notification while the page is visible.
    if (!preferences.notifications || document.visibilityState === "visible") return;
    void notify({
      tag: id,
      title: `${agents.nameOf(subject.agentId)} is waiting for you`,
      body: `${levelLabel(verdict.level)}: ${visibleText(subject.text).slice(0, MAX_BODY_LENGTH)}`,
      path: `/approvals?id=${id}`,
    });
  });
  return { waiting };
}
