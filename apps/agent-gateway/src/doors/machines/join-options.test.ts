import { expect, test } from "vitest";
import { joinUrl } from "./join-options.ts";

test.each([
  ["https://belay.example.com/", "wss://belay.example.com/machines/join"],
  ["http://127.0.0.1:7400", "ws://127.0.0.1:7400/machines/join"],
  ["http://[::1]:7400", "ws://[::1]:7400/machines/join"],
  ["http://localhost/belay/", "ws://localhost/belay/machines/join"],
])("G7 a machine joins %s at %s", (address, url) => {
  expect(joinUrl(address, { allowsPlainHttp: false })).toBe(url);
});

test.each(["http://belay.example.com", "http://127.example.org", "http://localhost.example.org", "http://10.0.0.7"])(
  "G7 a machine does not join %s, which is not encrypted, unless it is told to",
  (address) => {
    expect(() => joinUrl(address, { allowsPlainHttp: false })).toThrow("is not encrypted");
    expect(joinUrl(address, { allowsPlainHttp: true })).toMatch(/^ws:/);
  },
);
