import type { ReactNode } from "react";

const tones = {
  quiet: "bg-sunken text-muted",
  accent: "bg-accent-soft text-accent",
  attention: "bg-attention-soft text-attention",
  danger: "bg-danger-soft text-danger",
} as const;

export type Tone = keyof typeof tones;

/** One or two words about the thing beside it. */
export function Badge({ tone = "quiet", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-1 rounded px-1.5 text-xs leading-5 font-medium whitespace-nowrap ${tones[tone]}`}
    >
      {children}
    </span>
  );
}
