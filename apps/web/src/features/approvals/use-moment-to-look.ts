"use client";

import { useEffect, useState } from "react";

/** Longer than a person's reaction time, so that a press already under way does not count. */
const LOOK_MS = 700;

/** False for a moment after something new appeared: a press that was meant for what was there before does not answer it. */
export function useMomentToLook(id: string | null): boolean {
  const [seenId, setSeenId] = useState<string | null>(null);
  useEffect(() => {
    if (id === null) return;
    const timer = setTimeout(() => setSeenId(id), LOOK_MS);
    return () => clearTimeout(timer);
  }, [id]);
  return id !== null && seenId === id;
}
