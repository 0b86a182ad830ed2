"use client";

import { useEffect, useRef } from "react";

export type Shortcuts = Readonly<Record<string, (() => void) | undefined>>;

/** Single-key shortcuts, inactive while the person types or a dialog with its own keys is open. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      // A key that is held down must not answer several questions in a row.
      if (event.defaultPrevented || event.repeat || event.isComposing || event.ctrlKey || event.metaKey || event.altKey)
        return;
      if (isTyping(event.target) || document.querySelector("[role=dialog], [role=menu]")) return;
      const act = latest.current[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    }
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}

/** Whether a key belongs to a field or a terminal. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest("input:not([type=radio]), textarea, select, [contenteditable=true], .xterm") !== null
  );
}
