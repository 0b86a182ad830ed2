import { expect, test } from "vitest";
import { stateOf } from "./agent-state.ts";

const agent = { revokedAt: null, expiresAt: null, seenAt: null };

test("W7 revoked and expired take precedence over the last activity", () => {
  expect(stateOf(agent, false, 100)).toBe("waiting");
  expect(stateOf({ ...agent, seenAt: 50 }, false, 100)).toBe("connected");
  expect(stateOf({ ...agent, seenAt: 50 }, true, 100)).toBe("frozen");
  expect(stateOf({ ...agent, seenAt: 50, expiresAt: 100 }, true, 100)).toBe("expired");
  expect(stateOf({ ...agent, seenAt: 50, expiresAt: 99, revokedAt: 10 }, true, 100)).toBe("revoked");
});
