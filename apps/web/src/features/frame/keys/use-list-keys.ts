"use client";

import { useShortcuts } from "./use-shortcuts.ts";

/** `j` and `k` move through a list, Escape closes the details beside it. */
export function useListKeys<Id extends string | number>(
  ids: readonly Id[],
  selected: Id | null,
  select: (id: Id | null) => void,
): void {
  function move(step: 1 | -1) {
    const at = selected === null ? -1 : ids.indexOf(selected);
    const next = ids[at === -1 ? (step === 1 ? 0 : ids.length - 1) : at + step];
    if (next !== undefined) select(next);
  }
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    Escape: selected === null ? undefined : () => select(null),
  });
}
