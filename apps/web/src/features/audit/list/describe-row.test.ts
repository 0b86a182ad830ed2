import { expect, test } from "vitest";
import { describeRow } from "./describe-row.ts";

test.each([
  ["command.opened", { line: "git push" }, "asked to run", "git push", "quiet"],
  ["command.judged", { decision: "allow", runs: ["git status"] }, "allowed", "git status", "quiet"],
  ["command.judged", { decision: "deny", matches: [{ reason: "It wipes." }] }, "forbidden", "It wipes.", "danger"],
  ["command.judged", { decision: "ask", matches: [] }, "needs a person", null, "attention"],
  ["approval.answered", { decision: "approve" }, "approved", null, "quiet"],
  ["approval.answered", { decision: "deny", message: "Not now." }, "refused", "Not now.", "quiet"],
  ["command.closed", { status: "ran", exitCode: 2 }, "exit 2", null, "danger"],
  ["command.closed", { status: "ran", exitCode: 137, limit: "memory" }, "exit 137", "memory limit reached", "danger"],
  ["command.closed", { status: "ran", exitCode: null }, "ended", null, "quiet"],
  ["command.closed", { status: "denied" }, "denied", null, "quiet"],
  ["policy.edit-waits", { note: "by hand" }, "policy edit waits", "by hand", "quiet"],
] as const)("W5 a row reads as a few words: %s %o", (type, detail, what, about, tone) => {
  expect(describeRow({ type, detail: detail as never })).toEqual({ what, about, tone });
});
