import type { ReactNode } from "react";

/** A scrolling list. It is focusable, so that the keyboard can scroll it, too. */
export function ScrollList({
  label,
  className = "",
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long content scrolls, with the keyboard too.
    <ul aria-label={label} tabIndex={0} className={`overflow-y-auto ${className}`}>
      {children}
    </ul>
  );
}
