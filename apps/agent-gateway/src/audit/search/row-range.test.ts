import fc from "fast-check";
import { expect, test } from "vitest";
import { openTestRecord } from "../../testing/write-record.ts";

const row = { type: "command.opened", actor: { type: "system" } } as const;
const HOUR = 3_600_000;

test("W5 a search by time finds exactly the rows between two moments, however the clock was set meanwhile", async () => {
  const steps = fc.array(fc.integer({ min: -50 * HOUR, max: 60 * HOUR }), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(steps, fc.nat(40), fc.nat(40), async (moves, first, second) => {
      const { clock, open } = openTestRecord();
      const log = open();
      clock.now = 1_000 * HOUR;
      const times: number[] = [];
      for (const move of moves) {
        clock.now += move;
        times.push((await log.append(row)).at);
      }
      const [from = 0, to = 0] = [times[first % times.length] ?? 0, times[second % times.length] ?? 0].toSorted(
        (a, b) => a - b,
      );

      const { events } = await log.search({ from, to }, { cursor: null, limit: 100, order: "oldest" });

      expect(events.map(({ at }) => at)).toEqual(times.filter((at) => at >= from && at < to));
    }),
    { numRuns: 20 },
  );
});
