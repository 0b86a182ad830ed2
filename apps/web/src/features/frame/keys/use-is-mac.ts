"use client";

import { useSyncExternalStore } from "react";

/** Whether the keyboard has a ⌘. */
export function useIsMac(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => /Mac|iPhone|iPad/.test(navigator.platform),
    () => false,
  );
}
