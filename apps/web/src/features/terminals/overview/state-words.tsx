import type { ActivityWords } from "./activity.ts";
import { Age } from "./age.tsx";

const dots = {
  quiet: "bg-edge",
  busy: "bg-accent",
  attention: "bg-attention ring-4 ring-attention/25",
  ended: "border border-edge",
} as const;

/** The state as a dot and in words; commands in monospace. Stacked, the command is on its own line. */
export function StateWords({
  words,
  isStacked = false,
  className = "",
}: {
  words: ActivityWords;
  isStacked?: boolean;
  className?: string;
}) {
  const command = words.line !== null && (
    <code className={`font-mono text-xs font-normal text-ink ${isStacked ? "block w-full truncate pt-0.5" : ""}`}>
      {words.line}
    </code>
  );
  return (
    <span className={`flex min-w-0 items-center gap-2 ${isStacked ? "flex-wrap gap-y-0" : ""} ${className}`}>
      <span aria-hidden className={`size-2 shrink-0 rounded-full ${dots[words.tone]}`} />
      <span className={`min-w-0 truncate ${words.tone === "attention" ? "font-medium text-attention" : "text-muted"}`}>
        {words.text} {!isStacked && command}
      </span>
      {isStacked && command}
      {!isStacked && words.since !== null && <Age at={words.since} className="text-xs text-muted" />}
    </span>
  );
}
