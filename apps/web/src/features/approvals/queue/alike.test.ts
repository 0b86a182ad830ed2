import type { Approval } from "@belay/protocol";
import { expect, test } from "vitest";
import { canAnswerInBulk, countEqual, groupEqual, isAlike } from "./alike.ts";

const asked = (
  id: string,
  text: string,
  change: { level?: string; agentId?: string; approversNeeded?: number; files?: { isCode: boolean }[] } = {},
) =>
  ({
    id,
    subject: { text, runs: [text], agentId: change.agentId ?? "agt-1", cwd: "/", files: change.files ?? [] },
    verdict: { level: change.level ?? "unknown", matches: [{ rule: "unknown" }] },
    approversNeeded: change.approversNeeded ?? 1,
  }) as unknown as Approval;

test("W3 a batch never includes dangerous commands, ones that run a file, or ones that need several people", () => {
  expect(canAnswerInBulk(asked("apr-1", "tool --check"))).toBe(true);
  expect(canAnswerInBulk(asked("apr-1", "rm -r x", { level: "dangerous" }))).toBe(false);
  expect(canAnswerInBulk(asked("apr-1", "tool", { approversNeeded: 2 }))).toBe(false);
  expect(canAnswerInBulk(asked("apr-1", "sh x.sh", { files: [{ isCode: true }] }))).toBe(false);
  expect(canAnswerInBulk(asked("apr-1", "cat x.sh", { files: [{ isCode: false }] }))).toBe(true);
});

test("W3 similar means the same program of the same agent for the same reasons", () => {
  const one = asked("apr-1", "tool --check");
  expect(isAlike(one, asked("apr-2", "tool --all"))).toBe(true);
  expect(isAlike(one, asked("apr-2", "other --all"))).toBe(false);
  expect(isAlike(one, asked("apr-2", "tool --all", { agentId: "agt-2" }))).toBe(false);
});

test("W3 identical questions are grouped and counted once", () => {
  const all = [asked("apr-1", "tool"), asked("apr-2", "other"), asked("apr-3", "tool")];

  const { approvals, sameAsBefore } = groupEqual(all);

  expect(approvals.map(({ id }) => id)).toEqual(["apr-1", "apr-3", "apr-2"]);
  expect([...sameAsBefore]).toEqual(["apr-3"]);
  expect(countEqual(all)).toEqual([
    { text: "tool", count: 2 },
    { text: "other", count: 1 },
  ]);
});
