import type { ReactNode } from "react";

export function Section({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <section className="mt-6 rounded-xl border border-line bg-raised p-4 sm:p-5">
      <h2 className="font-semibold tracking-tight">{title}</h2>
      <p className="mt-0.5 mb-4 text-sm text-muted">{about}</p>
      {children}
    </section>
  );
}
