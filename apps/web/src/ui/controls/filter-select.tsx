import type { ReactNode } from "react";

/** A chip with a list: its label is the current choice. */
export function FilterSelect({
  name,
  value,
  onChange,
  children,
}: {
  name: string;
  value: string;
  onChange(value: string): void;
  children: ReactNode;
}) {
  return (
    <select
      aria-label={name}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={`h-8 max-w-44 cursor-pointer rounded-md border px-2 text-sm pointer-coarse:h-11 ${value === "" ? "border-line bg-raised text-muted" : "border-accent bg-accent-soft text-accent"}`}
    >
      {children}
    </select>
  );
}
