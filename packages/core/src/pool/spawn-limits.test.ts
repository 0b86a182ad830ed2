import { describe, expect, it } from "vitest";
import type { SpawnRequest } from "./requests.ts";
import { shellRequest } from "./shell-request.ts";
import { SpawnLimits } from "./spawn-limits.ts";

const request = (overrides: Partial<SpawnRequest> = {}) => shellRequest("/", { agentId: "agt-a", ...overrides });

describe("SpawnLimits", () => {
  const quota = { key: "agt-a spawn", maxOpen: 2, maxPerMinute: 3 };

  it("B5 limits open terminals, and frees a place when one closes", () => {
    const limits = new SpawnLimits({ maxTerminals: 100 }, () => 0);
    limits.take("pty-1", request({ quota }));
    limits.take("pty-2", request({ quota }));

    expect(() => limits.take("pty-3", request({ quota }))).toThrow(expect.objectContaining({ code: "quota-full" }));
    limits.take("pty-4", request());
    limits.giveBack("pty-1");

    limits.take("pty-5", request({ quota }));
  });

  it("B5 limits starts per minute, and says when the next is possible", () => {
    let now = 0;
    const limits = new SpawnLimits({ maxTerminals: 100 }, () => now);
    for (const id of ["pty-1", "pty-2", "pty-3"] as const) {
      limits.take(id, request({ quota }));
      limits.giveBack(id);
      now += 10_000;
    }

    expect(() => limits.take("pty-4", request({ quota }))).toThrow(
      expect.objectContaining({ code: "spawn-rate-exceeded", message: expect.stringContaining("in 30 s") }),
    );
    now = 60_000;

    limits.take("pty-4", request({ quota }));
  });

  it("B5 limits and names are per agent", () => {
    const limits = new SpawnLimits({ maxTerminals: 3 }, () => 0);
    limits.take("pty-1", request({ name: "build", maxOpenOfAgent: 1 }));

    expect(() => limits.take("pty-2", request({ maxOpenOfAgent: 1 }))).toThrow(
      expect.objectContaining({ code: "pool-full" }),
    );
    limits.take("pty-2", request({ agentId: "agt-b", name: "build", maxOpenOfAgent: 1 }));
    limits.take("pty-3", request({ agentId: null }));
    expect(() => limits.take("pty-4", request({ agentId: null }))).toThrow(
      expect.objectContaining({ code: "pool-full" }),
    );
  });

  it("B5 the caller's limit per agent applies, with no lower limit of the pool's own", () => {
    const limits = new SpawnLimits({ maxTerminals: 1000 }, () => 0);
    for (let at = 0; at < 120; at++) limits.take(`pty-${at}`, request({ maxOpenOfAgent: 120 }));

    expect(() => limits.take("pty-more", request({ maxOpenOfAgent: 120 }))).toThrow("This agent has 120 terminals");
  });

  it("A1 a name is unique among an agent's open terminals", () => {
    const limits = new SpawnLimits({ maxTerminals: 9 }, () => 0);
    limits.take("pty-1", request({ name: "build" }));

    expect(() => limits.take("pty-2", request({ name: "build" }))).toThrow(
      expect.objectContaining({ code: "name-taken" }),
    );
    limits.giveBack("pty-1");

    limits.take("pty-2", request({ name: "build" }));
  });
});
