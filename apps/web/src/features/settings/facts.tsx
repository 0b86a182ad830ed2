import type { ReactNode } from "react";

/** Names on the left, values on the right. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid gap-x-4 gap-y-1.5 text-sm sm:grid-cols-[10rem_minmax(0,1fr)]">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted max-sm:mt-1.5">{name}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A path or an address, in monospace. */
export function Path({ children }: { children: string }) {
  return <code className="font-mono text-xs break-all">{children}</code>;
}
