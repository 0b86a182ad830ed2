"use client";

import { ChevronDown, ChevronUp, X } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "@/ui/controls/icon-button.tsx";
import type { SearchResult, TerminalSearch } from "./terminal-search.ts";

/** Finds text in the scrollback. */
export function SearchBar({ search, onClose }: { search: TerminalSearch; onClose(): void }) {
  const [text, setText] = useState("");
  const [result, setResult] = useState<SearchResult | null>(null);
  useEffect(() => search.onResult(setResult), [search]);
  const find = (direction: "next" | "previous", wanted = text) => search.find(wanted, direction);
  return (
    <search className="flex items-center gap-1 border-b border-line bg-raised px-3 py-1.5">
      <input
        type="search"
        aria-label="Search in this terminal"
        placeholder="Search"
        // biome-ignore lint/a11y/noAutofocus: the person just asked to search.
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          find("previous", event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose();
          if (event.key === "Enter") find(event.shiftKey ? "next" : "previous");
        }}
        className="h-10 min-w-0 flex-1 rounded-md border border-edge bg-surface px-2.5 text-base sm:max-w-72 sm:text-sm"
      />
      <span role="status" className="px-2 text-sm text-muted tabular-nums">
        {text !== "" && result && resultWords(result)}
      </span>
      <IconButton icon={ChevronUp} name="Previous match" onClick={() => find("previous")} />
      <IconButton icon={ChevronDown} name="Next match" onClick={() => find("next")} />
      <IconButton icon={X} name="Close the search" onClick={onClose} />
    </search>
  );
}

function resultWords({ at, count }: SearchResult): string {
  if (count === 0) return "Not found";
  return at === 0 ? `${count} or more` : `${at} of ${count}`;
}
