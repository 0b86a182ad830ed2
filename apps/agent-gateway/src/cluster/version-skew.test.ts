import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { LocalHub } from "../bus/local-bus.ts";
import { EventBus } from "../events.ts";
import { VERSION } from "../version.ts";
import { Cluster } from "./cluster.ts";

test("G7 a gateway that runs another version, or judges nothing, is named", async () => {
  const hub = new LocalHub();
  const log = pino({ level: "silent" });
  const common = { events: new EventBus(), now: () => Date.now(), log };
  const cluster = new Cluster({ ...common, bus: hub.join("one"), name: "one", deafAfterMs: 10_000, url: () => "" });
  onTestFinished(() => cluster.close());
  cluster.open({
    readAgain: async () => {},
    recheckAccess: () => {},
    holds: async () => false,
    endTerminalsOf: async () => 0,
    countTerminalsOf: async () => 0,
    agents: async () => [],
    machines: () => [],
    findApproval: async () => undefined,
    machineChanged: async () => {},
    approvalChanged: async () => {},
  });
  const other = hub.join("two");
  const beat = { type: "beat" as const, boot: "b", url: "http://127.0.0.1:1", startedAt: 1, agents: [], machines: [] };

  other.publish({ ...beat, name: "older", version: "0.0.1", problem: null });

  await vi.waitFor(() =>
    expect(cluster.notices()).toEqual([
      `Gateway "older" runs Belay 0.0.1, and this one ${VERSION}. Update the older one.`,
    ]),
  );
  other.publish({ ...beat, name: "older", version: VERSION, problem: "It hears nothing." });
  await vi.waitFor(() => expect(cluster.notices()).toEqual(['Gateway "older": It hears nothing.']));
});
