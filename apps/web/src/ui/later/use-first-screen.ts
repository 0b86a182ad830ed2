"use client";

import { useEffect, useSyncExternalStore } from "react";
import { firstScreen } from "./first-screen.ts";

/** Whether the first screen is over, so that what may be needed next can be loaded. */
export function useIsAfterFirstScreen(): boolean {
  return useSyncExternalStore(
    (onChange) => firstScreen.after(onChange),
    () => firstScreen.isOver,
    () => false,
  );
}

/** A terminal that hangs must not keep the rest of the page waiting. */
const LONGEST_MS = 5_000;

/** Says that the frame of the page is drawn. */
export function useFrameDrawn(isDrawn: boolean): void {
  useEffect(() => {
    if (!isDrawn) return;
    firstScreen.drawn();
    const timer = setTimeout(() => firstScreen.end(), LONGEST_MS);
    return () => clearTimeout(timer);
  }, [isDrawn]);
}

/** Keeps the first screen from being over while something on it is not there yet. */
export function useFirstScreenHold(isHeld: boolean): void {
  useEffect(() => (isHeld ? firstScreen.hold() : undefined), [isHeld]);
}
