import { expect, it } from "vitest";
import { openTestPool } from "../testing/test-pool.ts";

const COUNT = 300;
const MAX_BYTES_EACH = 400 * 1024;

it(`B2 ${COUNT} terminals at once, each with its own command, and little memory for each`, {
  timeout: 180_000,
}, async () => {
  const test = await openTestPool();
  const first = await test.spawn();
  await test.run(first.id, "true");
  const memoryBefore = process.memoryUsage().rss;

  const terminals = await Promise.all(Array.from({ length: COUNT }, () => test.spawn()));
  const wait = { type: "idle", idleMs: null, timeoutMs: 150_000 } as const;
  const reports = await Promise.all(terminals.map(({ id }, at) => test.run(id, `(exit ${at % 200})`, { wait })));

  expect(reports.map(({ exitCode }) => exitCode)).toEqual(terminals.map((_, at) => at % 200));
  expect((process.memoryUsage().rss - memoryBefore) / COUNT).toBeLessThan(MAX_BYTES_EACH);

  await test.close();
  expect(await test.pool.list()).toEqual([]);
});
