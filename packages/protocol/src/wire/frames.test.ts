import { expect, test } from "vitest";
import { ClientControlFrame, ClientJsonFrame, formatId, ServerJsonFrame, TerminalId } from "../index.ts";

test("WIRE-1 an id is a prefix and base 32 without easily confused letters", () => {
  const id = formatId(
    "pty",
    Uint8Array.from({ length: 16 }, (_, index) => index * 17),
  );

  expect(id).toMatch(/^pty-[0-9a-hjkmnp-tv-z]{16}$/);
  expect(TerminalId.parse(id)).toBe(id);
});

test.each(["pty-", "pty-A1", "cmd-abc", "pty-../etc", "", "pty-a b", `pty-${"a".repeat(41)}`])(
  "WIRE-1 %j is not a terminal id",
  (id) => {
    expect(TerminalId.safeParse(id).success).toBe(false);
  },
);

test("B8 the plain frames are exactly those of the pool toolset", () => {
  const client = [
    { type: "pty:attach", id: "pty-abc123" },
    { type: "pty:detach", id: "pty-abc123" },
    { type: "pty:input", id: "pty-abc123", data: "ls -la\n" },
    { type: "pty:resize", id: "pty-abc123", cols: 120, rows: 40 },
  ];
  const server = [
    { type: "pty:attached", id: "pty-abc123", history: "$ " },
    { type: "pty:attached", id: "pty-abc123" },
    { type: "pty:output", id: "pty-abc123", data: "text" },
    { type: "pty:exit", id: "pty-abc123", exitCode: 0 },
    { type: "pty:error", id: "pty-abc123", error: "Session not found" },
  ];

  for (const frame of client) expect(ClientJsonFrame.parse(frame)).toEqual(frame);
  for (const frame of server) expect(ServerJsonFrame.parse(frame)).toEqual(frame);
});

test.each([
  { type: "pty:attach" },
  { type: "pty:attach", id: "pty-abc123", extra: 1 },
  { type: "pty:resize", id: "pty-abc123", cols: 0, rows: 40 },
  { type: "pty:resize", id: "pty-abc123", cols: 1e9, rows: 40 },
  { type: "pty:unknown", id: "pty-abc123" },
  null,
])("WIRE-7 %j is not a plain frame", (frame) => {
  expect(ClientJsonFrame.safeParse(frame).success).toBe(false);
});

test.each([
  { type: "attach", id: "pty-abc123", from: -1 },
  { type: "attach", id: "pty-abc123", from: 1.5 },
  { type: "attach", id: "pty-abc123" },
  { type: "detach", channel: -1 },
  { type: "ping", nonce: "x".repeat(65) },
])("WIRE-7 %j is not a control frame", (frame) => {
  expect(ClientControlFrame.safeParse(frame).success).toBe(false);
});
