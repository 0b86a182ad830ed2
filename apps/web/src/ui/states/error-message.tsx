import type { ReactNode } from "react";

/** What went wrong, in a sentence that screen readers announce; nothing without one. */
export function ErrorMessage({ children, className = "" }: { children: ReactNode; className?: string }) {
  if (!children) return null;
  return (
    <p role="alert" className={`text-sm text-danger ${className}`}>
      {children}
    </p>
  );
}
