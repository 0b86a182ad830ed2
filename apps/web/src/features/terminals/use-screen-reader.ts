"use client";

import { useCallback, useSyncExternalStore } from "react";

const KEY = "belay-screen-reader";

/** Whether terminals keep their text readable for screen readers, which costs speed. Kept in this browser. */
export function useScreenReader(): [isOn: boolean, toggle: () => void] {
  const isOn = useSyncExternalStore(
    subscribe,
    () => localStorage.getItem(KEY) === "on",
    () => false,
  );
  const toggle = useCallback(() => {
    localStorage.setItem(KEY, localStorage.getItem(KEY) === "on" ? "off" : "on");
    // The browser tells other tabs by itself, but not this one.
    window.dispatchEvent(new StorageEvent("storage", { key: KEY }));
  }, []);
  return [isOn, toggle];
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener("storage", onChange);
  return () => window.removeEventListener("storage", onChange);
}
