"use client";

import { useSyncExternalStore } from "react";

const KEY = "belay-attention";

export interface Preferences {
  notifications: boolean;
  sound: boolean;
}

const NONE: Preferences = { notifications: false, sound: false };
let cached: { text: string | null; value: Preferences } = { text: null, value: NONE };

/** How this browser may draw attention. Stored in the browser, not per person: a phone and a desktop differ. */
export function loadPreferences(): Preferences {
  const text = localStorage.getItem(KEY);
  // The same object for the same text, or React would render endlessly.
  if (text !== cached.text) cached = { text, value: parse(text) };
  return cached.value;
}

export function usePreferences(): [Preferences, (change: Partial<Preferences>) => void] {
  const preferences = useSyncExternalStore(subscribe, loadPreferences, () => NONE);
  return [
    preferences,
    (change) => {
      localStorage.setItem(KEY, JSON.stringify({ ...loadPreferences(), ...change }));
      // The storage event reaches other tabs, but not this one.
      window.dispatchEvent(new StorageEvent("storage", { key: KEY }));
    },
  ];
}

function parse(text: string | null): Preferences {
  try {
    const stored = JSON.parse(text ?? "{}") as Record<string, unknown>;
    return { notifications: stored.notifications === true, sound: stored.sound === true };
  } catch {
    return NONE; // edited by hand: ignore it
  }
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener("storage", onChange);
  return () => window.removeEventListener("storage", onChange);
}
