"use client";

import type { ReplayMark } from "@belay/agent-gateway/router";
import { Pause, Play } from "lucide-react";
import { IconButton } from "@/ui/controls/icon-button.tsx";
import { formatClock } from "./format-clock.ts";

const SPEEDS = [0.5, 1, 2, 4, 8, 16];
const COLORS: Partial<Record<ReplayMark["kind"], string>> = {
  command: "bg-accent",
  asked: "bg-attention",
  answered: "bg-attention",
  person: "bg-danger",
  agent: "bg-danger",
};
/** More marks could not be told apart on the bar. */
const MOST_TICKS = 300;

/** Play button, position and speed. The bar shows the marks; the list beside it names them. */
export function ReplayBar({
  timeMs,
  durationMs,
  marks,
  isPlaying,
  speed,
  skipsIdle,
  onToggle,
  onJump,
  onSpeed,
  onSkipsIdle,
}: {
  timeMs: number;
  durationMs: number;
  marks: readonly ReplayMark[];
  isPlaying: boolean;
  speed: number;
  skipsIdle: boolean;
  onToggle(): void;
  onJump(ms: number): void;
  onSpeed(speed: number): void;
  onSkipsIdle(skips: boolean): void;
}) {
  const ticks = marks.filter(({ kind }) => COLORS[kind]).slice(0, MOST_TICKS);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line bg-raised px-2 py-1.5 sm:px-3">
      <IconButton icon={isPlaying ? Pause : Play} name={isPlaying ? "Pause" : "Play"} onClick={onToggle} />
      <span className="shrink-0 text-xs text-muted tabular-nums">
        {formatClock(timeMs)} / {formatClock(durationMs)}
      </span>
      <div className="relative min-w-40 flex-1">
        <div aria-hidden className="pointer-events-none absolute inset-x-2 top-0 h-1.5">
          {ticks.map((mark, index) => (
            <span
              key={index}
              className={`absolute h-1.5 w-0.5 rounded-full ${COLORS[mark.kind]}`}
              style={{ left: `${(mark.timeMs / Math.max(1, durationMs)) * 100}%` }}
            />
          ))}
        </div>
        <input
          type="range"
          aria-label="Place in the recording"
          aria-valuetext={formatClock(timeMs)}
          min={0}
          max={Math.max(1, durationMs)}
          step={1}
          value={Math.min(timeMs, durationMs)}
          onChange={(event) => onJump(Number(event.target.value))}
          className="mt-2 h-6 w-full cursor-pointer accent-accent"
        />
      </div>
      <label className="flex cursor-pointer items-center gap-1.5 text-xs text-muted">
        <input
          type="checkbox"
          checked={skipsIdle}
          onChange={(event) => onSkipsIdle(event.target.checked)}
          className="size-4 accent-accent"
        />
        Skip pauses
      </label>
      <select
        aria-label="Speed"
        value={speed}
        onChange={(event) => onSpeed(Number(event.target.value))}
        className="h-8 rounded-md border border-line bg-raised px-1.5 text-xs pointer-coarse:h-11"
      >
        {SPEEDS.map((value) => (
          <option key={value} value={value}>
            {value}×
          </option>
        ))}
      </select>
    </div>
  );
}
