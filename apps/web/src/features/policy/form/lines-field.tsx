"use client";

import { useState } from "react";

/** A list of words or patterns, one on each line. */
export function LinesField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: readonly string[];
  onChange(value: string[]): void;
}) {
  const said = value.join("\n");
  // The text being typed may end in an empty line, which the list drops.
  const [typed, setTyped] = useState<{ text: string; said: string } | null>(null);
  const text = typed && typed.said === said ? typed.text : said;
  return (
    <textarea
      aria-label={`${label}, one on each line`}
      value={text}
      rows={Math.min(10, Math.max(2, text.split("\n").length))}
      spellCheck={false}
      autoCapitalize="off"
      onChange={(event) => {
        const lines = event.target.value.split("\n").filter((line) => line.trim() !== "");
        setTyped({ text: event.target.value, said: lines.join("\n") });
        onChange(lines);
      }}
      className="block w-full rounded-md border border-edge bg-surface px-2.5 py-1.5 font-mono text-base leading-5 sm:text-xs"
    />
  );
}
