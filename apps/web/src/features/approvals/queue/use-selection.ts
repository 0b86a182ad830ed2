"use client";

import { useEffect, useRef, useState } from "react";

/** Longer than a person's reaction time, so that a key press already under way does not count. */
const GUARD_MS = 700;

export interface Selection<Id extends string> {
  selected: Id | null;
  /**
   * False for a moment after a new item replaced the selected one: a key that
   * was meant for the previous item does not answer the new one.
   */
  isReady: boolean;
  select(id: Id): void;
  move(step: 1 | -1): void;
}

/** The selected item of a queue. When it is answered or withdrawn the next one is selected; new items go to the end. */
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
