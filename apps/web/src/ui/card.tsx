import type { ReactNode } from "react";

/** A single thing in the middle of the page: signing in, setting up, nothing here. */
export function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <section className="w-full max-w-sm rounded-xl border border-line bg-raised p-8">
        <p className="mb-6 font-mono text-sm font-semibold tracking-tight text-accent">belay</p>
        <h1 className="mb-2 text-xl font-semibold tracking-tight">{title}</h1>
        {children}
      </section>
    </main>
  );
}
