"use client";

import type { Span } from "@belay/protocol";
import { type ReactNode, useState } from "react";
import { findPadding } from "./fold-padding.ts";
import { PlainText } from "./plain-text.tsx";

/** What will run: risky parts underlined, hidden characters made visible. Always rendered as plain text. */
export function CommandText({
  text,
  spans,
  className = "",
}: {
  text: string;
  spans: readonly (Span | null)[];
  className?: string;
}) {
  return (
    <code className={`block font-mono break-words whitespace-pre-wrap ${className}`}>
      {partsOf(text, spans).map((part, index) =>
        // Keyed by position: parts never move.
        part.words === null ? (
          <PlainText key={index} text={part.text} spans={part.spans} />
        ) : (
          <Fold key={index} words={part.words}>
            <PlainText text={part.text} spans={part.spans} />
          </Fold>
        ),
      )}
    </code>
  );
}

interface Part {
  text: string;
  spans: (Span | null)[];
  /** The label shown instead until the person unfolds it; null: it is shown. */
  words: string | null;
}

/** Splits the text into parts, with padding as parts of its own. */
function partsOf(text: string, spans: readonly (Span | null)[]): Part[] {
  const part = (start: number, end: number, words: string | null): Part => ({
    text: text.slice(start, end),
    spans: spans.map((span) => span && { start: span.start - start, end: span.end - start }),
    words,
  });
  const parts: Part[] = [];
  let at = 0;
  for (const { start, end, words } of findPadding(text, spans)) {
    if (start > at) parts.push(part(at, start, null));
    parts.push(part(start, end, words));
    at = end;
  }
  return at < text.length ? [...parts, part(at, text.length, null)] : parts;
}

function Fold({ words, children }: { words: string; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen) return children;
  return (
    <button
      type="button"
      onClick={() => setIsOpen(true)}
      title="Show it"
      className="mx-1 cursor-pointer rounded-sm bg-line px-1.5 text-xs text-muted hover:text-ink"
    >
      ⋯ {words} ⋯
    </button>
  );
}
