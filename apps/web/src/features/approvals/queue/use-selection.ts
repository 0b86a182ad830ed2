"use client";

import { useEffect, useRef, useState } from "react";

/** Longer than the way from seeing something to a key that was already on its way down. */
const GUARD_MS = 700;

export interface Selection<Id extends string> {
  selected: Id | null;
  /**
   * False for a moment after something slid in under the person's hand: a key that
   * was meant for what was there before does not answer it.
   */
  isReady: boolean;
  select(id: Id): void;
  move(step: 1 | -1): void;
}

/** Which item of a queue is looked at. What is answered or withdrawn makes room for the next; what is new waits behind. */
export function useSelection<Id extends string>(ids: readonly Id[], first: string | null): Selection<Id> {
  const [chosen, setChosen] = useState<Id | null>(() => ids.find((id) => id === first) ?? null);
  const [readyId, setReadyId] = useState<Id | null>(null);
  const chosenByPerson = useRef<Id | null>(null);
  const lastIndex = useRef(0);

  const selected = ids.find((id) => id === chosen) ?? ids[Math.min(lastIndex.current, ids.length - 1)] ?? null;
  useEffect(() => {
    lastIndex.current = Math.max(0, selected === null ? 0 : ids.indexOf(selected));
    setChosen(selected);
  }, [ids, selected]);
  useEffect(() => {
    if (selected === null || chosenByPerson.current === selected) return setReadyId(selected);
    const timer = setTimeout(() => setReadyId(selected), GUARD_MS);
    return () => clearTimeout(timer);
  }, [selected]);

  function select(id: Id) {
    chosenByPerson.current = id;
    setChosen(id);
  }
  return {
    selected,
    isReady: selected !== null && readyId === selected,
    select,
    move: (step) => {
      const next = selected === null ? undefined : ids[ids.indexOf(selected) + step];
      if (next !== undefined) select(next);
    },
  };
}
