import type { ReactNode } from "react";

/**
 * A link to a moment of a recording. It does a full page load: only that page may run the player's WebAssembly, and a
 * browser keeps the content security policy of the first page.
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
