"use client";

import { createContext, type ReactNode, useContext, useEffect, useId, useMemo, useRef, useState } from "react";

interface Gate {
  /** Reports that there is a box to read, or that its end was visible. */
  mark(id: string, isRead: boolean): void;
}

const GateContext = createContext<Gate>({ mark: () => {} });

/** Tracks whether all boxes inside it have been scrolled to their end. */
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

/** A box that scrolls when it is long. It counts as read once its end was visible. */
export function ReadToEnd({ label, className, children }: { label: string; className: string; children: ReactNode }) {
  const id = useId();
  const { mark } = useContext(GateContext);
  const box = useRef<HTMLElement>(null);
  const end = useRef<HTMLSpanElement>(null);
  const [isRead, setIsRead] = useState(false);
  const [below, setBelow] = useState<Below | null>(null);
  useEffect(() => {
    if (!box.current || !end.current) return;
    mark(id, false);
    setBelow(lookBelow(box.current));
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        setIsRead(true);
        mark(id, true);
        observer.disconnect();
      },
      // Visible to a person: neither scrolled out of its box nor off the page.
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long content scrolls, with the keyboard too.
        tabIndex={0}
        className={className}
        onScroll={(event) => setBelow(lookBelow(event.currentTarget))}
      >
        {children}
        <span ref={end} aria-hidden className="block h-px" />
      </section>
      {!isRead && (
        <button
          type="button"
          onClick={() => box.current && showNext(box.current)}
          className="mt-1 cursor-pointer text-sm text-attention underline underline-offset-4"
        >
          There is more below{below && below.lines > 0 && `: ${wordsOf(below)}`}
        </button>
      )}
    </>
  );
}

/** What is below the visible part of a box. */
interface Below {
  lines: number;
  flagged: number;
}

function lookBelow(box: HTMLElement): Below {
  const bottom = box.getBoundingClientRect().bottom;
  const lineHeight = Number.parseFloat(getComputedStyle(box.querySelector("code, li") ?? box).lineHeight) || 20;
  const flagged = [...box.querySelectorAll("mark")].filter((mark) => mark.getBoundingClientRect().top >= bottom);
  const hiddenPx = box.scrollHeight - box.scrollTop - box.clientHeight;
  return { lines: Math.max(0, Math.round(hiddenPx / lineHeight)), flagged: flagged.length };
}

/** Scrolls to the first flagged part that has not been visible yet, otherwise to the end. */
function showNext(box: HTMLElement): void {
  box.scrollIntoView({ block: "nearest" });
  const bottom = box.getBoundingClientRect().bottom;
  const next = [...box.querySelectorAll("mark")].find((mark) => mark.getBoundingClientRect().top >= bottom);
  if (next) next.scrollIntoView({ block: "nearest" });
  else box.scrollTo({ top: box.scrollHeight });
}

function wordsOf({ lines, flagged }: Below): string {
  const more = lines === 1 ? "1 more line" : `${lines} more lines`;
  return flagged === 0 ? more : `${more}, ${flagged} flagged`;
}
