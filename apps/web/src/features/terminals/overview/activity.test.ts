import { expect, test } from "vitest";
import { terminalInfo } from "../testing/terminal-info.ts";
import { describeActivity, formatAge, formatBytes, formatDuration } from "./activity.ts";

const busy = (wants: "nothing" | "input" | "secret") =>
  ({ kind: "busy", commandId: "cmd-1", line: "npm\ntest", since: 0, wants }) as const;

test.each([
  ["at the prompt", null, terminalInfo({}), null],
  ["waiting for approval", "rm -r x", terminalInfo({}), "rm\n-r x"],
  ["running", "npm test", terminalInfo({ activity: busy("nothing") }), null],
  ["waiting for a password", "npm test", terminalInfo({ activity: busy("secret") }), null],
  ["waiting for input", "npm test", terminalInfo({ activity: busy("input") }), null],
  [
    "ended (exited) with code 1",
    null,
    terminalInfo({ state: { status: "closed", reason: "exited", exitCode: 1 } }),
    "rm",
  ],
  ["ended (killed)", null, terminalInfo({ state: { status: "closed", reason: "killed", exitCode: null } }), null],
])("W1 a terminal is %s, in words", (text, line, info, asked) => {
  expect(describeActivity(info, asked === null ? null : { text: asked, createdAt: 0 })).toMatchObject({ text, line });
});

test("W1 invisible characters in a command are shown", () => {
  const hiding = "ls\u2028rm\u00a0x";
  expect(describeActivity(terminalInfo({}), { text: hiding, createdAt: 0 }).line).toBe("ls<U+2028>rm<U+00A0>x");
});

test("W2 sizes are readable", () => {
  expect([12, 1_234, 2_783_441].map(formatBytes)).toEqual(["12 bytes", "1 KB", "2.8 MB"]);
});

test("W1 ages and durations are rounded sensibly", () => {
  expect([0, 59_000, 61_000, 3_700_000, 172_800_000].map(formatAge)).toEqual(["0 s", "59 s", "1 min", "1 h", "2 d"]);
  expect([12, 1_234, 12_345].map(formatDuration)).toEqual(["12 ms", "1.2 s", "12 s"]);
});
