"use client";

import { useSearchParams } from "next/navigation";
import { useCallback } from "react";

type Changes = Readonly<Record<string, string | null>>;

/**
 * A page's state, kept in its address: a link shows the same, and the browser's back button works.
 * `set` merges the given keys; null and the empty string remove a key.
 */
export function useQueryState() {
  const query = useSearchParams();
  const set = useCallback((changes: Changes, { replaces = false } = {}) => {
    const url = new URL(window.location.href);
    for (const [key, value] of Object.entries(changes)) {
      if (value === null || value === "") url.searchParams.delete(key);
      else url.searchParams.set(key, value);
    }
    if (url.href === window.location.href) return;
    window.history[replaces ? "replaceState" : "pushState"](null, "", url);
  }, []);
  return { get: (key: string) => query.get(key), set };
}
