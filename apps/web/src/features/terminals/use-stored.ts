"use client";

import { useCallback, useSyncExternalStore } from "react";

/** A choice that this browser remembers. */
export function useStored(key: string, initial: string): [string, (value: string) => void] {
  const value = useSyncExternalStore(
    subscribe,
    () => localStorage.getItem(key) ?? initial,
    () => initial,
  );
  const store = useCallback(
    (next: string) => {
      localStorage.setItem(key, next);
      // The storage event reaches other tabs, but not this one.
      window.dispatchEvent(new StorageEvent("storage", { key }));
    },
    [key],
  );
  return [value, store];
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener("storage", onChange);
  return () => window.removeEventListener("storage", onChange);
}
