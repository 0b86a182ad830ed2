"use client";

import { createContext, type ReactNode, useContext, useEffect, useId, useMemo, useRef, useState } from "react";

interface Gate {
  /** Says that something is there to be read, or that its end was seen. */
  mark(id: string, isRead: boolean): void;
}

const GateContext = createContext<Gate>({ mark: () => {} });

/** Knows whether everything within it was seen to its end. */
export function useReadGate(): { isRead: boolean; gate: Gate } {
  const [unread, setUnread] = useState<ReadonlySet<string>>(new Set());
  const gate = useMemo<Gate>(
    () => ({
      mark: (id, isRead) =>
        setUnread((before) => {
          if (before.has(id) !== isRead) return before;
          const after = new Set(before);
          if (isRead) after.delete(id);
          else after.add(id);
          return after;
        }),
    }),
    [],
  );
  return { isRead: unread.size === 0, gate };
}

export function ReadGate({ gate, children }: { gate: Gate; children: ReactNode }) {
  return <GateContext value={gate}>{children}</GateContext>;
}

/** Something that scrolls when it is long. It counts as read once its end was in sight. */
export function ReadToEnd({ label, className, children }: { label: string; className: string; children: ReactNode }) {
  const id = useId();
  const { mark } = useContext(GateContext);
  const box = useRef<HTMLElement>(null);
  const end = useRef<HTMLSpanElement>(null);
  const [isRead, setIsRead] = useState(false);
  useEffect(() => {
    if (!box.current || !end.current) return;
    mark(id, false);
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        setIsRead(true);
        mark(id, true);
        observer.disconnect();
      },
      { root: box.current },
    );
    observer.observe(end.current);
    return () => {
      observer.disconnect();
      mark(id, true);
    };
  }, [id, mark]);
  return (
    <>
      <section
        ref={box}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is long scrolls, with the keyboard too.
        tabIndex={0}
        className={className}
      >
        {children}
        <span ref={end} aria-hidden className="block h-px" />
      </section>
      {!isRead && (
        <button
          type="button"
          onClick={() => box.current?.scrollTo({ top: box.current.scrollHeight })}
          className="mt-1 cursor-pointer text-sm text-attention underline underline-offset-4"
        >
          There is more below: go to its end
        </button>
      )}
    </>
  );
}
