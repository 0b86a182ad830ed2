import { afterEach, expect, test, vi } from "vitest";
import { BrokenFrameError } from "../wire/frames.ts";
import { GatewayClock } from "./gateway-clock.ts";
import { keyOfSeed, newSeed } from "./keys.ts";
import { CALL_DEADLINE_MS, createSeal, createUnseal } from "./seal.ts";

const CONNECTION = Buffer.alloc(32, 7);
const NOTHING = Buffer.alloc(0);
const NOW = 1_800_000_000_000;
const CALL = JSON.stringify({ type: "call", call: 1, method: "kill", args: ["pty-1"] });

afterEach(() => void vi.useRealTimers());

test("G7 a machine takes what its gateway signed, in its order", () => {
  const { seal, unseal } = pair();

  expect(unseal(seal(CALL, NOTHING), NOTHING)).toEqual({ json: CALL, isLate: false });
  expect(unseal(seal(CALL, Buffer.from("bytes")), Buffer.from("bytes"))).toEqual({ json: CALL, isLate: false });
});

test("G7 a relay can neither change, repeat, drop nor reorder a call", () => {
  const changes: [string, (one: string, two: string) => [string, Buffer]][] = [
    ["changed", (one) => [JSON.stringify({ ...JSON.parse(one), json: CALL.replace("pty-1", "pty-2") }), NOTHING]],
    ["later deadline", (one) => [JSON.stringify({ ...JSON.parse(one), by: NOW + 10 * CALL_DEADLINE_MS }), NOTHING]],
    ["other bytes", (one) => [one, Buffer.from("typed")]],
    ["dropped", (_one, two) => [two, NOTHING]],
    ["not signed", () => [CALL, NOTHING]],
    ["not JSON", () => ["{", NOTHING]],
  ];
  for (const [what, change] of changes) {
    const { seal, unseal } = pair();
    const [text, bytes] = change(seal(CALL, NOTHING), seal(CALL, NOTHING));
    expect(() => unseal(text, bytes), what).toThrow(BrokenFrameError);
  }
  const { seal, unseal } = pair();
  const one = seal(CALL, NOTHING);
  unseal(one, NOTHING);
  expect(() => unseal(one, NOTHING)).toThrow("Message 1 came after message 1.");
});

test("G7 a call for one connection is worth nothing in another, and neither is one of another gateway", () => {
  const { seal, gateway } = pair();
  const elsewhere = createUnseal(gateway.publicKey, Buffer.alloc(32, 8), new GatewayClock(NOW, 0));
  expect(() => elsewhere(seal(CALL, NOTHING), NOTHING)).toThrow(BrokenFrameError);

  const other = createSeal(keyOfSeed(newSeed()), CONNECTION, () => NOW);
  expect(() => pair().unseal(other(CALL, NOTHING), NOTHING)).toThrow(BrokenFrameError);
});

test("G7 a call that was held back is late, even if the machine slept or its clock was set back", () => {
  vi.useFakeTimers({ now: 0, toFake: ["Date", "performance"] });
  const { seal, unseal } = pair();
  const [one, two, three] = [seal(CALL, NOTHING), seal(CALL, NOTHING), seal(CALL, NOTHING)];
  expect(unseal(one, NOTHING).isLate).toBe(false);

  // The clock was set back an hour, while as much time passed as a call has.
  vi.advanceTimersByTime(CALL_DEADLINE_MS + 1);
  vi.setSystemTime(-3_600_000);
  expect(unseal(two, NOTHING).isLate).toBe(true);

  // The machine slept: only the wall clock went on.
  const fresh = pair();
  const held = fresh.seal(CALL, NOTHING);
  vi.setSystemTime(0);
  expect(fresh.unseal(held, NOTHING).isLate).toBe(true);
  expect(unseal(three, NOTHING).isLate).toBe(true);
});

test("G7 the time of the handshake counts against a call, never for it", () => {
  const gateway = keyOfSeed(newSeed());
  const unseal = createUnseal(gateway.publicKey, CONNECTION, new GatewayClock(NOW, 2_000));
  const seal = createSeal(gateway, CONNECTION, () => NOW - CALL_DEADLINE_MS + 1_000);

  expect(unseal(seal(CALL, NOTHING), NOTHING).isLate).toBe(true);
});

function pair() {
  const gateway = keyOfSeed(newSeed());
  return {
    gateway,
    seal: createSeal(gateway, CONNECTION, () => NOW),
    unseal: createUnseal(gateway.publicKey, CONNECTION, new GatewayClock(NOW, 0)),
  };
}
