"use client";

import { createContext, type ReactNode, useContext, useId, useLayoutEffect, useMemo, useState } from "react";

interface Gate {
  /** There is something to read here, and whether all of it was on the screen. */
  mark(id: string, isRead: boolean): void;
  forget(id: string): void;
}

const GateContext = createContext<Gate>({ mark: () => {}, forget: () => {} });

/** Tracks whether everything inside it was on the screen. Where nothing is shown, nothing was read. */
export function useReadGate(): { isRead: boolean; gate: Gate } {
  const [boxes, setBoxes] = useState<ReadonlyMap<string, boolean>>(new Map());
  const gate = useMemo<Gate>(
    () => ({
      mark: (id, isRead) =>
        setBoxes((before) => (before.get(id) === isRead ? before : new Map(before).set(id, isRead))),
      forget: (id) => setBoxes((before) => new Map([...before].filter(([other]) => other !== id))),
    }),
    [],
  );
  return { isRead: boxes.size > 0 && [...boxes.values()].every(Boolean), gate };
}

export function ReadGate({ gate, children }: { gate: Gate; children: ReactNode }) {
  return <GateContext value={gate}>{children}</GateContext>;
}

/** Something to read that keeps the gate closed until `isRead`. */
export function useToRead(isRead: boolean): void {
  const id = useId();
  const { mark, forget } = useContext(GateContext);
  // Before the first paint, so that no button is enabled even for one frame.
  useLayoutEffect(() => mark(id, isRead), [id, isRead, mark]);
  useLayoutEffect(() => () => forget(id), [id, forget]);
}
