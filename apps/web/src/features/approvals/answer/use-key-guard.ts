"use client";

import { useEffect, useState } from "react";
import { isTyping } from "@/features/frame/keys/use-shortcuts.ts";
import { toast } from "@/ui/states/toast.tsx";
import { KeyGuard } from "./key-guard.ts";

export const WAIT_FOR_KEYS = "Click into this page first, or press j or k and wait a moment. Then keys answer.";
const WAIT_FOR_CLICKS = "This page has only just come to the front. Look at it, then click again.";

/** Keys that only move around in a page. They unlock nothing, but they are not typing either. */
const HARMLESS = new Set([
  ..."? Escape Tab Shift Control Alt Meta CapsLock".split(" "),
  ..."ArrowUp ArrowDown ArrowLeft ArrowRight PageUp PageDown Home End".split(" "),
]);
/** The shortcuts that answer, lead to an answer, or select what one answer is for. */
const ANSWERS = new Set([..."aydesoJ1234"]);
const PRESSES_BUTTONS = new Set(["Enter", " "]);

/** Marks what holds buttons that answer: a key presses them only when it may answer, too. */
export const HOLDS_ANSWERS = { "data-holds-answers": "" } as const;

/** This page's guard, which observes every click and key in it. */
export function useKeyGuard(): KeyGuard {
  const [guard] = useState(() => new KeyGuard());
  useEffect(() => {
    /** A key is down, and whether it may answer: browsers turn Enter, Space and arrows into clicks. */
    let pressed: { mayAnswer: boolean } | null = null;
    const onKeyDown = (event: KeyboardEvent) => {
      // A field was opened by a deliberate action. What is typed into it has nothing to do with the shortcuts.
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      const mayAnswer = guard.isOpen && !event.repeat && !event.isComposing;
      pressed = { mayAnswer };
      if (event.isComposing) guard.typed();
      else if (event.key === "j" || event.key === "k") guard.moved();
      else if (!isMeant(event, guard)) guard.typed();
    };
    const onKeyUp = () => {
      // Space clicks once this event is over.
      const released = pressed;
      setTimeout(() => {
        if (pressed === released) pressed = null;
      });
    };
    const onPointerDown = () => {
      pressed = null;
    };
    const onClick = (event: MouseEvent) => {
      // Only trusted events: a script can create clicks.
      if (!event.isTrusted) return;
      const isByKey = event.detail === 0 && pressed !== null;
      const isRefused = isByKey ? !pressed?.mayAnswer : guard.hasJustReturned;
      if (isRefused && holdsAnswers(event.target)) {
        event.preventDefault();
        event.stopImmediatePropagation();
        toast(isByKey ? WAIT_FOR_KEYS : WAIT_FOR_CLICKS);
      }
      if (!isByKey) guard.clicked();
    };
    const onShown = () => guard.shown();
    const onLeft = () => guard.left();
    // In the capture phase, before anything on the page handles it.
    const capture = { capture: true };
    window.addEventListener("keydown", onKeyDown, capture);
    window.addEventListener("keyup", onKeyUp, capture);
    window.addEventListener("pointerdown", onPointerDown, capture);
    window.addEventListener("click", onClick, capture);
    window.addEventListener("focus", onLeft);
    window.addEventListener("blur", onLeft);
    document.addEventListener("visibilitychange", onShown);
    return () => {
      window.removeEventListener("keydown", onKeyDown, capture);
      window.removeEventListener("keyup", onKeyUp, capture);
      window.removeEventListener("pointerdown", onPointerDown, capture);
      window.removeEventListener("click", onClick, capture);
      window.removeEventListener("focus", onLeft);
      window.removeEventListener("blur", onLeft);
      document.removeEventListener("visibilitychange", onShown);
    };
  }, [guard]);
  return guard;
}

/** Whether a key has a function in this page, and is allowed now. */
function isMeant({ key, target }: KeyboardEvent, guard: KeyGuard): boolean {
  if (HARMLESS.has(key)) return true;
  return guard.isOpen && (ANSWERS.has(key) || (PRESSES_BUTTONS.has(key) && isControl(target)));
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("a, button, input, summary") !== null;
}

function holdsAnswers(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[data-holds-answers]") !== null;
}
