import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findPostgres, type PostgresServer, startPostgres } from "../testing/database/postgres-server.ts";
import { openOnServer } from "../testing/database/test-databases.ts";
import { sharedLimits } from "./limits.ts";

const bin = findPostgres();
const RULE = { freeFailures: 3, firstDelayMs: 10_000, longestDelayMs: 60_000, forgottenAfterMs: 300_000 };
const guesser = { email: "Ada@belay.test", address: "203.0.113.7" };

describe.skipIf(bin === null)("limits of sign-in at two gateways", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(String(bin));
  }, 60_000);
  afterAll(() => server?.close());

  async function openTwo() {
    const first = await openOnServer(server, { mode: "shared" });
    const second = await openOnServer(server, { url: first.url, mode: "shared" });
    return { first, one: sharedLimits(first.db), two: sharedLimits(second.db) };
  }

  test("G4 G7 requests at all gateways count together, also in the same moment, until the window is over", async () => {
    const { first, one, two } = await openTwo();
    const rule = { window: 60, max: 20 };
    const tries = Array.from({ length: 30 }, (_, at) => (at % 2 ? one : two).rateLimit.consume("203.0.113.7 /x", rule));

    const answers = await Promise.all(tries);

    expect(answers.filter(({ allowed }) => allowed)).toHaveLength(20);
    const refused = await one.rateLimit.consume("203.0.113.7 /x", rule);
    expect(refused).toEqual({ allowed: false, retryAfter: expect.any(Number) });
    expect(refused.retryAfter).toBeLessThanOrEqual(60);
    expect(await one.rateLimit.consume("203.0.113.8 /x", rule)).toMatchObject({ allowed: true });
    await first.run("UPDATE tries SET since = since - 60001");
    expect(await two.rateLimit.consume("203.0.113.7 /x", rule)).toMatchObject({ allowed: true });
  });

  test("G4 G7 wrong passwords at one gateway delay the next attempt at the other, and each attempt has its own turn", async () => {
    const { one, two } = await openTwo();
    for (const limits of [one, two, one]) await limits.failures.wrong(guesser, RULE);

    const waits = await Promise.all([one, two].map(({ failures }) => failures.waitMs(guesser, RULE)));

    const [sooner = 0, later = 0] = waits.sort((a, b) => a - b);
    expect(Math.round(sooner / 10_000)).toBe(1);
    expect(Math.round(later / 10_000)).toBe(2);
    expect(await two.failures.waitMs({ ...guesser, address: "203.0.113.8" }, RULE)).toBe(0);
  });

  test("G4 G7 the right password, a new one or time end the delay at every gateway", async () => {
    const { first, one, two } = await openTwo();
    const fail = async () => {
      for (const _ of [1, 2, 3, 4]) await one.failures.wrong(guesser, RULE);
    };
    await fail();
    await one.failures.right(guesser);
    expect(await two.failures.waitMs(guesser, RULE)).toBe(0);

    await fail();
    await two.failures.clear("ada@belay.test");
    expect(await two.failures.waitMs(guesser, RULE)).toBe(0);

    await fail();
    await first.run("UPDATE tries SET since = since - 300001");
    expect(await two.failures.waitMs(guesser, RULE)).toBe(0);
  });

  test("G4 addresses are not readable in the database, and are forgotten", async () => {
    const { first, one } = await openTwo();
    await one.failures.wrong(guesser, RULE);
    await one.rateLimit.consume("203.0.113.7 /x", { window: 60, max: 2 });
    const stored = JSON.stringify(await first.run("SELECT * FROM tries"));
    expect(stored).not.toContain("203.0.113.7");
    expect(stored.toLowerCase()).not.toContain("ada@");

    await first.run("UPDATE tries SET since = since - 3600001");
    await one.rateLimit.consume("203.0.113.9 /x", { window: 60, max: 2 });

    expect(await first.run("SELECT count(*)::int AS rows FROM tries")).toEqual([{ rows: 1 }]);
  });
});
