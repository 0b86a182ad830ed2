"use client";

import type { RecordingSegment } from "@belay/agent-gateway/router";
import { create, type Player } from "asciinema-player";
import { useEffect, useRef } from "react";
import { IdleClock } from "./idle-clock.ts";
import "asciinema-player/dist/bundle/asciinema-player.css";
import "./player.css";

const LONGEST_PAUSE_MS = 1_000;
const TELL_TIME_MS = 100;
/** The player draws the screen at its time zero; events that are shown at once have to come after it. */
const AFTER_SCREEN_MS = 1;

/** Plays one segment of a recording with asciinema's player, and reports its position. Each segment gets a new player. */
export function SegmentPlayer({
  segment,
  startMs,
  isPlaying,
  speed,
  skipsIdle,
  onTime,
  onEnded,
}: {
  segment: RecordingSegment;
  /** Where in the recording to begin. */
  startMs: number;
  isPlaying: boolean;
  speed: number;
  skipsIdle: boolean;
  onTime(timeMs: number): void;
  onEnded(): void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const player = useRef<Player | null>(null);
  const latest = useRef({ onTime, onEnded, isPlaying });
  latest.current = { onTime, onEnded, isPlaying };
  useEffect(() => {
    if (!place.current) return;
    const clock = new IdleClock(segment, skipsIdle ? LONGEST_PAUSE_MS : null);
    const startAt = (clock.toPlayed(startMs) + AFTER_SCREEN_MS) / 1_000;
    const [screen, ...rest] = clock.events;
    const events = [
      [0, "o", screen?.[2] ?? ""] as const,
      ...rest.map(([ms, code, data]) => [(ms + AFTER_SCREEN_MS) / 1_000, code, data] as const),
      // The player ends at its last event, so this adds one at the end of the segment.
      [(clock.durationMs + 2 * AFTER_SCREEN_MS) / 1_000, "o", ""] as const,
    ];
    // As an asciicast, because the unit of a parser's own times is not the same in every version of the player.
    const made = create(
      { data: [{ version: 2, width: segment.cols, height: segment.rows }, ...events] },
      place.current,
      {
        controls: false,
        fit: "both",
        theme: "asciinema",
        preload: true,
        startAt,
        speed,
        autoPlay: latest.current.isPlaying,
        poster: `npt:${startAt.toFixed(3)}`,
        terminalFontFamily: '"Geist Mono", ui-monospace, monospace',
        cursorMode: "steady",
      },
    );
    player.current = made;
    made.addEventListener("ended", () => latest.current.onEnded());
    const timer = setInterval(() => {
      if (latest.current.isPlaying)
        latest.current.onTime(clock.toReal(made.getCurrentTime() * 1_000 - AFTER_SCREEN_MS));
    }, TELL_TIME_MS);
    return () => {
      clearInterval(timer);
      player.current = null;
      made.dispose();
    };
  }, [segment, startMs, speed, skipsIdle]);
  useEffect(() => {
    if (isPlaying) void player.current?.play();
    else void player.current?.pause();
  }, [isPlaying]);
  return <div ref={place} className="replay-player flex h-full w-full items-center justify-center" />;
}
