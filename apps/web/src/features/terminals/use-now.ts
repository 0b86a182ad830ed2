"use client";

import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let now = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** The time, updated once a second, for ages and durations. One shared timer for all components. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now || tick(), tick);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    tick();
    for (const each of listeners) each();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    now = 0;
  };
}

function tick(): number {
  now = Date.now();
  return now;
}
