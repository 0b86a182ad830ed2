"use client";

import { useEffect, useState } from "react";
import { KeyGuard } from "./key-guard.ts";

/** Keys that only navigate. They do not unlock anything, but they are not typing either. */
const HARMLESS = new Set([
  "?",
  "o",
  "s",
  "J",
  "Escape",
  "Tab",
  "Shift",
  "Control",
  "Alt",
  "Meta",
  "ArrowUp",
  "ArrowDown",
]);

/** Keys that lead to an answer with one more step, and keys that answer directly. */
const LEADS_ON = new Set(["d", "e", "1", "2", "3", "4"]);
const ANSWERS = new Set(["a", "y"]);

/** This page's guard, which observes every click and key in it. */
export function useKeyGuard(): KeyGuard {
  const [guard] = useState(() => new KeyGuard());
  useEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === "j" || key === "k") guard.moved();
      else if (!isMeant(key, guard)) guard.typed();
    };
    // Only trusted events: a script can create clicks.
    const onClick = (event: MouseEvent) => event.isTrusted && guard.clicked();
    const onShown = () => guard.shown();
    const onLeft = () => guard.left();
    // In the capture phase, before anything on the page handles it.
    window.addEventListener("keydown", onKeyDown, { capture: true });
    window.addEventListener("click", onClick, { capture: true });
    window.addEventListener("focus", onLeft);
    window.addEventListener("blur", onLeft);
    document.addEventListener("visibilitychange", onShown);
    return () => {
      window.removeEventListener("keydown", onKeyDown, { capture: true });
      window.removeEventListener("click", onClick, { capture: true });
      window.removeEventListener("focus", onLeft);
      window.removeEventListener("blur", onLeft);
      document.removeEventListener("visibilitychange", onShown);
    };
  }, [guard]);
  return guard;
}

/** Whether a key is one of this page's shortcuts, and allowed now. */
function isMeant(key: string, guard: KeyGuard): boolean {
  return HARMLESS.has(key) || (LEADS_ON.has(key) && guard.isArmed) || (ANSWERS.has(key) && guard.isOpen);
}
