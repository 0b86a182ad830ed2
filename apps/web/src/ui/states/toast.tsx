"use client";

import { useEffect, useSyncExternalStore } from "react";

const SHOWN_MS = 5_000;

let current: { id: number; text: string } | null = null;
let lastId = 0;
const listeners = new Set<() => void>();

/** Shows a short message: announced to screen readers, and gone after a moment. */
export function toast(text: string): void {
  lastId += 1;
  show({ id: lastId, text });
}

/** Where toasts appear; once, in the frame of the page. */
export function Toasts() {
  const shown = useSyncExternalStore(
    subscribe,
    () => current,
    () => null,
  );
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(() => current?.id === shown.id && show(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-20 z-50 flex justify-center px-4 lg:bottom-6"
    >
      {shown && (
        <p className="pointer-events-auto rounded-lg border border-line bg-ink px-4 py-2.5 text-sm text-surface shadow-xl">
          {shown.text}
        </p>
      )}
    </div>
  );
}

function show(next: typeof current): void {
  current = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
