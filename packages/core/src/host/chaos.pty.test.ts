import { describe, expect, it } from "vitest";
import { killGateways, killHost } from "../testing/chaos/chaos.ts";

// The same rounds by the hundred, with fresh seeds: `npm run soak`.
describe.runIf(process.platform === "linux")("G6 under load, at random moments:", () => {
  it.each([11])("a killed gateway loses and duplicates nothing (seed %i)", async (seed) => {
    expect(await killGateways(seed, 4)).toMatchObject({ kills: 4, commands: 12 });
  });

  it.each([21])("C10 a killed host leaves no process behind (seed %i)", async (seed) => {
    expect(await killHost(seed)).toMatchObject({ kills: 1 });
  });
});
