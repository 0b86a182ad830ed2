"use client";

import { useEffect, useRef } from "react";

/** ⌘K or Ctrl-K; in a terminal, where the shell uses Ctrl-K, Ctrl-Shift-K. */
export function usePaletteKey(onPress: () => void): void {
  const latest = useRef(onPress);
  latest.current = onPress;
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== "k" || event.altKey) return;
      const isTerminal = event.target instanceof Element && event.target.closest(".xterm") !== null;
      const isPressed = event.metaKey ? !event.shiftKey : event.ctrlKey && (!isTerminal || event.shiftKey);
      if (!isPressed) return;
      event.preventDefault();
      latest.current();
    }
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}
