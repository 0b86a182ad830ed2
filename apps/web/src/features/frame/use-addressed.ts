"use client";

import { useEffect, useState } from "react";
import { useQueryState } from "./use-query-state.ts";

/** One value of the address for a control. The page changes at once; the router reports the address a little later. */
export function useAddressed(key: string): readonly [string, (value: string) => void] {
  const { get, set } = useQueryState();
  const reported = get(key) ?? "";
  const [value, setValue] = useState(reported);
  useEffect(() => {
    // An address that is reported late must not undo what was typed since.
    const current = new URLSearchParams(window.location.search).get(key) ?? "";
    if (reported === current) setValue(current);
  }, [key, reported]);
  function change(next: string) {
    setValue(next);
    set({ [key]: next }, { replaces: true });
  }
  return [value, change];
}
