import type { ActivityWords } from "./activity.ts";
import { Age } from "./age.tsx";

const dots = {
  quiet: "bg-edge",
  busy: "bg-accent",
  attention: "bg-attention ring-4 ring-attention/25",
  ended: "border border-edge",
} as const;

/** A dot for the eye, and the same in words; a command looks like one. */
export function StateWords({ words, className = "" }: { words: ActivityWords; className?: string }) {
  return (
    <span className={`flex min-w-0 items-center gap-2 ${className}`}>
      <span aria-hidden className={`size-2 shrink-0 rounded-full ${dots[words.tone]}`} />
      <span className={`min-w-0 truncate ${words.tone === "attention" ? "font-medium text-attention" : "text-muted"}`}>
        {words.text}
        {words.line !== null && (
          <>
            {" "}
            <code className="font-mono text-xs font-normal text-ink">{words.line}</code>
          </>
        )}
      </span>
      {words.since !== null && <Age at={words.since} className="text-xs text-muted" />}
    </span>
  );
}
