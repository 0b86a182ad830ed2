"use client";

import { useEffect, useState } from "react";

const KEY = "belay-last-seen";
/** Shorter absences do not count. */
const LONG_MS = 5 * 60_000;
const NOTE_EVERY_MS = 15_000;

/** Since when this person has been away, once they are back; null if they were not, or have dismissed it. */
export function useAbsence(): { since: number | null; dismiss(): void } {
  const [since, setSince] = useState<number | null>(null);
  useEffect(() => {
    const look = () => {
      if (document.visibilityState !== "visible") return;
      const lastSeen = Number(localStorage.getItem(KEY) ?? 0);
      if (lastSeen > 0 && Date.now() - lastSeen > LONG_MS) setSince(lastSeen);
      localStorage.setItem(KEY, String(Date.now()));
    };
    look();
    const timer = setInterval(look, NOTE_EVERY_MS);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
  return { since, dismiss: () => setSince(null) };
}
