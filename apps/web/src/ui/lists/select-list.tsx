import type { ReactNode } from "react";
import { Badge, type Tone } from "../badge.tsx";

/** The list of a page whose items open beside it. */
export function SelectList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul
      aria-label={label}
      className="min-h-0 divide-y divide-line overflow-y-auto rounded-xl border border-line bg-raised"
    >
      {children}
    </ul>
  );
}

/** One item: its name, what else is known of it, and its state in words. */
export function SelectRow({
  name,
  state,
  isSelected,
  onSelect,
  children,
}: {
  name: string;
  state: { words: string; tone: Tone };
  isSelected: boolean;
  onSelect(): void;
  /** Columns, each with its own width. They shrink before the name does. */
  children: ReactNode;
}) {
  return (
    <li>
      <button
        type="button"
        onClick={onSelect}
        aria-current={isSelected ? "true" : undefined}
        className="flex min-h-12 w-full cursor-pointer items-center gap-3 px-4 py-2 text-left hover:bg-sunken aria-[current]:bg-sunken"
      >
        <span className="min-w-32 flex-1 truncate font-medium">{name}</span>
        {children}
        <span className="flex w-28 shrink-0 justify-end">
          <Badge tone={state.tone}>{state.words}</Badge>
        </span>
      </button>
    </li>
  );
}
