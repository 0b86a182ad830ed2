"use client";

import { useEffect, useRef } from "react";

/** ⌘K or Ctrl-K, everywhere but in a terminal that takes keys: there Ctrl-K is the shell's. */
export function usePaletteKey(onPress: () => void): void {
  const latest = useRef(onPress);
  latest.current = onPress;
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== "k" || event.altKey || event.shiftKey) return;
      const isTerminal = event.target instanceof Element && event.target.closest(".xterm") !== null;
      if (!event.metaKey && !(event.ctrlKey && !isTerminal)) return;
      event.preventDefault();
      latest.current();
    }
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}
