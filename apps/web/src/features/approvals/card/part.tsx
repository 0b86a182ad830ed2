import type { ReactNode } from "react";

/** A titled part of a question. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-4 text-sm">
      <h3 className="mb-1 text-xs font-medium text-muted">{title}</h3>
      {children}
    </section>
  );
}
