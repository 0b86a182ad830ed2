"use client";

import { useState } from "react";

/** Text with a copy button. */
export function Copyable({ text, label }: { text: string; label: string }) {
  const [isCopied, setIsCopied] = useState(false);
  async function copy() {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), 1500);
  }
  return (
    <div className="relative mt-2 rounded-md border border-line bg-sunken pointer-coarse:min-h-15">
      <pre className="p-3 pr-20 font-mono text-xs leading-relaxed break-all whitespace-pre-wrap">{text}</pre>
      <button
        type="button"
        onClick={() => void copy()}
        aria-label={`Copy ${label}`}
        className="absolute top-2 right-2 cursor-pointer rounded border border-line bg-raised px-2 py-1 text-xs hover:bg-sunken pointer-coarse:px-3 pointer-coarse:py-3"
      >
        <span aria-live="polite">{isCopied ? "Copied" : "Copy"}</span>
      </button>
    </div>
  );
}
