import type { ReactNode } from "react";

/**
 * A link to a moment of a recording. It loads the page anew: only that page may run the player's WebAssembly, and a
 * browser keeps to what the first page said.
 */
export function ReplayLink({
  id,
  atMs,
  className,
  children,
}: {
  id: string;
  atMs: number;
  className?: string;
  children: ReactNode;
}) {
  const at = atMs > 0 ? `&at=${Math.round(atMs)}` : "";
  return (
    <a href={`/replay?id=${encodeURIComponent(id)}${at}`} className={className}>
      {children}
    </a>
  );
}
