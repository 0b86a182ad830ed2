"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { stretchOnScreen } from "./on-screen.ts";
import { useToRead } from "./read-gate.tsx";
import { SeenStretches, type Stretch } from "./seen-stretches.ts";

/** Also without an event: what covers a box may disappear by itself. */
const LOOK_AGAIN_MS = 250;

/** A box that scrolls if its content is long. It is read once `until` was on the screen: all of it, or its end. */
export function ReadBox({
  label,
  className,
  until = "all",
  children,
}: {
  label: string;
  className: string;
  until?: "all" | "end";
  children: ReactNode;
}) {
  const box = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [isRead, setIsRead] = useState(false);
  const [unseen, setUnseen] = useState<Unseen | null>(null);
  const showRest = () => box.current && unseen && showNext(box.current, unseen, until);
  useToRead(isRead, showRest);
  useEffect(() => {
    if (isRead) return;
    const seen = new SeenStretches();
    let size = "";
    function look() {
      if (!box.current || !content.current) return;
      const { width, height } = content.current.getBoundingClientRect();
      // Lines have moved: a fold was opened, the window or the text has another size.
      if (size !== `${width} ${height}`) seen.clear();
      size = `${width} ${height}`;
      const now = stretchOnScreen(box.current, content.current);
      if (now) seen.add(until === "end" ? { from: 0, to: now.to } : now);
      const gaps = seen.gaps(height);
      if (gaps.length === 0 && height > 0) setIsRead(true);
      setUnseen((before) => sameOr(before, describe(gaps, box.current, content.current)));
    }
    // Only what is about to be painted counts: in between, the page may be laid out in ways that nobody sees.
    let frame = 0;
    function lookWhenPainted() {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(look);
    }
    lookWhenPainted();
    const timer = setInterval(lookWhenPainted, LOOK_AGAIN_MS);
    window.addEventListener("scroll", lookWhenPainted, { capture: true, passive: true });
    return () => {
      cancelAnimationFrame(frame);
      clearInterval(timer);
      window.removeEventListener("scroll", lookWhenPainted, { capture: true });
    };
  }, [isRead, until]);
  return (
    <>
      <section
        ref={box}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long content scrolls, with the keyboard too.
        tabIndex={0}
        className={`scroll-mt-28 lg:scroll-mt-1 ${className}`}
      >
        {/* A line high even if it is empty, so that it has to be on the screen. */}
        <div ref={content} className="min-h-[1lh]">
          {children}
        </div>
      </section>
      {!isRead && unseen && (
        <button
          type="button"
          onClick={showRest}
          className="mt-1 cursor-pointer text-sm text-attention underline underline-offset-4"
        >
          There is more {unseen.isAbove ? "above" : "below"}
          {unseen.lines > 0 && `: ${wordsOf(unseen)}`}
        </button>
      )}
    </>
  );
}

/** What has not been on the screen yet. */
interface Unseen {
  /** Where to look next, in pixels from the top of the content: at the first flagged part, otherwise where it begins. */
  from: number;
  lines: number;
  flagged: number;
  isAbove: boolean;
}

function describe(gaps: readonly Stretch[], box: HTMLElement | null, content: HTMLElement | null): Unseen | null {
  const [first] = gaps;
  if (!first || !box || !content) return null;
  const contentTop = content.getBoundingClientRect().top;
  const flagged = [...content.querySelectorAll("mark")]
    .map((mark) => mark.getBoundingClientRect().top - contentTop)
    .filter((at) => gaps.some(({ from, to }) => at >= from - 1 && at < to));
  const from = flagged[0] ?? first.from;
  const height = gaps.reduce((sum, { from, to }) => sum + to - from, 0);
  return {
    from,
    lines: Math.round(height / lineHeightOf(box)),
    flagged: flagged.length,
    isAbove: from < box.scrollTop,
  };
}

function sameOr(before: Unseen | null, after: Unseen | null): Unseen | null {
  return JSON.stringify(before) === JSON.stringify(after) ? before : after;
}

function lineHeightOf(box: HTMLElement): number {
  return Number.parseFloat(getComputedStyle(box.querySelector("code, li") ?? box).lineHeight) || 20;
}

/** Brings the box into view, and what was not seen to its top, below the last line that was. */
function showNext(box: HTMLElement, { from }: Unseen, until: "all" | "end"): void {
  box.scrollTop = until === "end" ? box.scrollHeight : from - lineHeightOf(box);
  // To the top: at the bottom the answer buttons would cover it.
  box.scrollIntoView({ block: "start" });
}

function wordsOf({ lines, flagged }: Unseen): string {
  const more = lines === 1 ? "1 more line" : `${lines} more lines`;
  return flagged === 0 ? more : `${more}, ${flagged} flagged`;
}
