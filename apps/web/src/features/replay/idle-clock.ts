import type { RecordingSegment } from "@belay/agent-gateway/router";

type Event = RecordingSegment["events"][number];

/**
 * Two clocks of one segment: when things really happened, and when they are played. They differ where pauses are
 * shortened. Both count in milliseconds, the played one from the beginning of the segment.
 */
export class IdleClock {
  /** Real and played time of each event, in order. */
  readonly #real: number[] = [];
  readonly #played: number[] = [];
  readonly events: Event[] = [];

  /** `longestPauseMs` null plays everything at its original time. */
  constructor({ fromMs, toMs, events }: RecordingSegment, longestPauseMs: number | null) {
    let real = fromMs;
    let played = 0;
    const move = (timeMs: number) => {
      const pause = Math.max(0, timeMs - real);
      played += longestPauseMs === null ? pause : Math.min(pause, longestPauseMs);
      real = Math.max(real, timeMs);
      this.#real.push(real);
      this.#played.push(played);
    };
    move(fromMs);
    for (const [timeMs, code, data] of events) {
      move(timeMs);
      this.events.push([played, code, data]);
    }
    move(toMs);
  }

  get durationMs(): number {
    return this.#played.at(-1) ?? 0;
  }

  toReal(playedMs: number): number {
    return convert(playedMs, this.#played, this.#real);
  }

  toPlayed(realMs: number): number {
    return convert(realMs, this.#real, this.#played);
  }
}

/** Interpolates linearly between two events. */
function convert(value: number, from: readonly number[], to: readonly number[]): number {
  let low = 0;
  let high = from.length - 1;
  if (value <= (from[low] ?? 0)) return to[low] ?? 0;
  if (value >= (from[high] ?? 0)) return to[high] ?? 0;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((from[middle] ?? 0) <= value) low = middle;
    else high = middle;
  }
  const span = (from[high] ?? 0) - (from[low] ?? 0);
  const share = span === 0 ? 0 : (value - (from[low] ?? 0)) / span;
  return (to[low] ?? 0) + share * ((to[high] ?? 0) - (to[low] ?? 0));
}
