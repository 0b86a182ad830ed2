import { expect, test } from "vitest";
import { MERGED } from "./merge-answers.ts";

const found = (id: string, startedAt: number) => ({ id, startedAt, title: "", matches: [], hasMore: false });
const merge = (path: string, ...data: unknown[]) =>
  MERGED[path]?.merge(
    data.map((one, index) => ({ from: index === 0 ? null : { id: `${index}`, name: "b" }, data: one })),
  );

test("G7 W6 a search of several gateways continues where the slowest stopped, newest first", () => {
  const here = { found: [found("pty-1", 1)], searched: 40, total: 100, nextCursor: 40 };
  const there = { found: [found("pty-2", 2)], searched: 90, total: 120, nextCursor: 90 };
  const done = { found: [], searched: 5, total: 5, nextCursor: null };

  expect(merge("recordings.search", here, there, done)).toEqual({
    found: [found("pty-2", 2), found("pty-1", 1)],
    searched: 40 + 40 + 5,
    total: 225,
    nextCursor: 40,
  });
});

test("G7 W6 a search is over once all gateways have searched everything", () => {
  const [one, other] = [3, 7].map((total) => ({ found: [], searched: 40, total, nextCursor: null }));

  expect(merge("recordings.search", one, other)).toEqual({ found: [], searched: 10, total: 10, nextCursor: null });
});
