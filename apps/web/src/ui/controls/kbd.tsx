import type { ReactNode } from "react";

/** A key, drawn as one. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded border border-line bg-surface px-1 font-mono text-2xs text-muted">
      {children}
    </kbd>
  );
}

/** The shortcut beside a button's label. Hidden on phones. */
export function KeyHint({ children }: { children: ReactNode }) {
  return (
    <kbd
      aria-hidden
      className="hidden h-5 min-w-5 items-center justify-center rounded border border-current px-1 font-mono text-2xs opacity-60 md:inline-flex"
    >
      {children}
    </kbd>
  );
}
