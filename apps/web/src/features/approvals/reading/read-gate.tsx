"use client";

import { createContext, type ReactNode, useContext, useId, useLayoutEffect, useMemo, useRef, useState } from "react";

interface Gate {
  /** There is something to read here, whether all of it was on the screen, and how to bring the rest there. */
  mark(id: string, isRead: boolean, show: () => void): void;
  forget(id: string): void;
}

const GateContext = createContext<Gate>({ mark: () => {}, forget: () => {} });

interface Box {
  isRead: boolean;
  show(): void;
}

export interface Reading {
  isRead: boolean;
  /** Scrolls to the next part that has not been on the screen. */
  showNext(): void;
  gate: Gate;
}

/** Tracks whether everything inside it was on the screen. Where nothing is shown, nothing was read. */
export function useReadGate(): Reading {
  const [boxes, setBoxes] = useState<ReadonlyMap<string, Box>>(new Map());
  const gate = useMemo<Gate>(
    () => ({
      mark: (id, isRead, show) => setBoxes((before) => new Map(before).set(id, { isRead, show })),
      forget: (id) => setBoxes((before) => new Map([...before].filter(([other]) => other !== id))),
    }),
    [],
  );
  const all = [...boxes.values()];
  return {
    isRead: all.length > 0 && all.every(({ isRead }) => isRead),
    showNext: () => all.find(({ isRead }) => !isRead)?.show(),
    gate,
  };
}

export function ReadGate({ gate, children }: { gate: Gate; children: ReactNode }) {
  return <GateContext value={gate}>{children}</GateContext>;
}

/** Something to read that keeps the gate closed until `isRead`. */
export function useToRead(isRead: boolean, show: () => void): void {
  const id = useId();
  const { mark, forget } = useContext(GateContext);
  // Before the first paint, so that no button is enabled even for one frame.
  const latest = useRef(show);
  latest.current = show;
  useLayoutEffect(() => mark(id, isRead, () => latest.current()), [id, isRead, mark]);
  useLayoutEffect(() => () => forget(id), [id, forget]);
}
