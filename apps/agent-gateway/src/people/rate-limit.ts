const MAX_KEYS = 10_000;

/** Requests allowed in a window of seconds. */
export interface Rate {
  window: number;
  max: number;
}

export interface RateLimit {
  /** Counts a request. */
  consume(key: string, rule: Rate): Promise<{ allowed: boolean; retryAfter: number | null }>;
}

/**
 * Counts requests by address and path, for one gateway: better-auth's own memory is shared by all in a process.
 * Uses a monotonic clock, so that setting the clock back does not lock people out.
 */
export function createRateLimit() {
  const now = () => performance.now();
  const windows = new Map<string, { startedAt: number; count: number }>();
  return {
    consume: async (key: string, rule: Rate) => {
      const windowMs = rule.window * 1000;
      const known = windows.get(key);
      const current = known && now() - known.startedAt < windowMs ? known : { startedAt: now(), count: 0 };
      if (current.count >= rule.max) {
        return { allowed: false, retryAfter: Math.ceil((current.startedAt + windowMs - now()) / 1000) };
      }
      current.count += 1;
      // A map in order of last use, so that a flood of addresses evicts the oldest ones.
      windows.delete(key);
      windows.set(key, current);
      const [oldest] = windows.keys();
      if (windows.size > MAX_KEYS && oldest !== undefined) windows.delete(oldest);
      return { allowed: true, retryAfter: null };
    },
    /** Seconds to wait, without counting this request; null if it is allowed. */
    waitFor: (key: string, rule: Rate): number | null => {
      const known = windows.get(key);
      const endsAt = known && known.count >= rule.max ? known.startedAt + rule.window * 1000 : 0;
      return endsAt > now() ? Math.ceil((endsAt - now()) / 1000) : null;
    },
    clear: (key: string) => void windows.delete(key),
  };
}
