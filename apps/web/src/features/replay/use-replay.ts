"use client";

import type { RecordingSegment } from "@belay/agent-gateway/router";
import type { TerminalId } from "@belay/protocol";
import { useCallback, useEffect, useRef, useState } from "react";
import { useTRPCClient } from "@/trpc/client.ts";

/** How often an open terminal is polled for more. */
const JOIN_MS = 1_000;

interface Shown {
  segment: RecordingSegment;
  /** Where in it to begin. */
  startMs: number;
}

/**
 * Which segment of a recording is shown, and from where. A jump within the segment stays in it; any other fetches the
 * segment around that moment. The next segment follows at the end, and after the last one the output of a live terminal.
 */
export function useReplay(id: TerminalId, { startMs, isLive }: { startMs: number; isLive: boolean }) {
  const client = useTRPCClient();
  const [shown, setShown] = useState<Shown | null>(null);
  const [timeMs, setTimeMs] = useState(startMs);
  const [isPlaying, setIsPlaying] = useState(false);
  const [isAtEnd, setIsAtEnd] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const asked = useRef(0);

  const load = useCallback(
    async (at: { timeMs: number } | { position: number }): Promise<RecordingSegment | null> => {
      asked.current += 1;
      const number = asked.current;
      try {
        const segment = await client.recordings.segment.query({ id, at });
        // A later jump has superseded this one.
        if (number !== asked.current) return null;
        setProblem(null);
        return segment;
      } catch (error) {
        if (number === asked.current) setProblem(error instanceof Error ? error.message : String(error));
        return null;
      }
    },
    [client, id],
  );

  const jump = useCallback(
    async (toMs: number) => {
      setIsAtEnd(false);
      setTimeMs(toMs);
      const inside = shown && toMs >= shown.segment.fromMs && toMs <= shown.segment.toMs;
      const segment = inside ? shown.segment : await load({ timeMs: toMs });
      if (segment) setShown({ segment, startMs: toMs });
    },
    [load, shown],
  );

  useEffect(() => {
    void load({ timeMs: startMs }).then((segment) => segment && setShown({ segment, startMs }));
  }, [load, startMs]);

  const continueLive = useCallback(async () => {
    if (!shown) return;
    const { nextPosition, endPosition, toMs } = shown.segment;
    setTimeMs(toMs);
    if (nextPosition === null && !isLive) {
      setIsPlaying(false);
      setIsAtEnd(true);
      return;
    }
    if (nextPosition === null) setIsAtEnd(true);
    const segment = await load({ position: nextPosition ?? endPosition });
    // Nothing new yet: the timer below polls again.
    if (!segment || segment.endPosition === endPosition) return;
    setIsAtEnd(false);
    setShown({ segment, startMs: segment.fromMs });
  }, [isLive, load, shown]);

  useEffect(() => {
    if (!isLive || !isAtEnd || !isPlaying) return;
    const timer = setInterval(() => void continueLive(), JOIN_MS);
    return () => clearInterval(timer);
  }, [isLive, isAtEnd, isPlaying, continueLive]);

  const toggle = useCallback(() => {
    if (isAtEnd && !isLive) void jump(0).then(() => setIsPlaying(true));
    else setIsPlaying((before) => !before);
  }, [isAtEnd, isLive, jump]);

  return {
    shown,
    timeMs,
    isPlaying,
    /** It shows the end of an open terminal, and waits for more. */
    hasJoined: isLive && isAtEnd && isPlaying,
    problem,
    jump,
    toggle,
    /** Fetches the segment again, because something in it has changed. */
    reload: () => load({ timeMs }).then((segment) => segment && setShown({ segment, startMs: timeMs })),
    onTime: setTimeMs,
    onEnded: () => void continueLive(),
  };
}
