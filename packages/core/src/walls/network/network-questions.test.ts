import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { NetworkQuestions } from "./network-questions.ts";
import type { Connecting } from "./who-connects.ts";

const DESTINATION = { host: "example.com", port: 443, kind: "public" } as const;
const INSTALLER: Connecting = { pid: 4711, startedAt: "1", argv: ["install"] };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A network in which one program connects from a port, and an answer that a test gives. */
function open() {
  const connected = new Set([5000]);
  const state = { isRunning: true, by: INSTALLER as Connecting | null };
  const asked: { gone: AbortSignal; answer: (isAllowed: boolean) => void }[] = [];
  const questions = new NetworkQuestions((_, gone) => new Promise((answer) => asked.push({ gone, answer })), {
    whoConnects: () => state.by,
    connectedPorts: () => connected,
    isRunning: () => state.isRunning,
  });
  return { questions, connected, state, asked };
}

test("C4 a question ends as soon as its program has ended", async () => {
  const { questions, connected, state, asked } = open();
  void questions.mayConnect(DESTINATION, 5000);

  await vi.advanceTimersByTimeAsync(600_000);
  const whileItWaits = asked[0]?.gone.aborted;
  connected.clear();
  state.isRunning = false;
  await vi.advanceTimersByTimeAsync(1000);

  expect({ whileItWaits, afterwards: asked[0]?.gone.aborted }).toEqual({ whileItWaits: false, afterwards: true });
});

test("C4 a program that tries again after a pause gets the answer to its first question", async () => {
  const { questions, connected, asked } = open();
  void questions.mayConnect(DESTINATION, 5000);

  connected.clear();
  await vi.advanceTimersByTimeAsync(20_000);
  connected.add(5001);
  const again = questions.mayConnect(DESTINATION, 5001);
  await vi.advanceTimersByTimeAsync(60_000);
  asked[0]?.answer(true);

  expect(await again).toBe(true);
  expect(asked).toHaveLength(1);
  expect(asked[0]?.gone.aborted).toBe(false);
});

test("C4 a program that runs on without trying again has given up", async () => {
  const { questions, connected, asked } = open();
  void questions.mayConnect(DESTINATION, 5000);

  connected.clear();
  await vi.advanceTimersByTimeAsync(40_000);

  expect(asked[0]?.gone.aborted).toBe(true);
});

test("C4 the question of a program that is not known ends with its connection", async () => {
  const { questions, connected, state, asked } = open();
  state.by = null;
  void questions.mayConnect(DESTINATION, 5000);

  connected.clear();
  await vi.advanceTimersByTimeAsync(1000);

  expect(asked[0]?.gone.aborted).toBe(true);
});

test("C4 a program that got the pid of an allowed one is asked about", async () => {
  const { questions, state, asked } = open();
  const first = questions.mayConnect(DESTINATION, 5000);
  asked[0]?.answer(true);
  await first;

  state.by = { ...INSTALLER, startedAt: "2" };
  void questions.mayConnect(DESTINATION, 5000);

  expect(asked).toHaveLength(2);
});
