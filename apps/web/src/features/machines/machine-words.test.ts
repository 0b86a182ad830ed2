import { expect, test } from "vitest";
import { loadWords, stateWords } from "./machine-words.ts";

test("G7 a machine's state is a word, and an unused token that expired says so", () => {
  expect(stateWords({ status: "connected", since: 1 }, 5).words).toBe("connected");
  expect(stateWords({ status: "away", since: null }, 5)).toEqual({ words: "away", tone: "attention" });
  expect(stateWords({ status: "invited", until: 6 }, 5).words).toBe("not joined yet");
  expect(stateWords({ status: "invited", until: 5 }, 5).words).toBe("token expired");
  expect(stateWords({ status: "revoked", since: 1 }, 5).words).toBe("revoked");
});

test("G7 a machine's load names processors and memory", () => {
  const load = { cpus: 4, load1: 1.25, totalMemoryBytes: 1000, freeMemoryBytes: 250 };
  expect(loadWords(load)).toBe("1.3 on 4 processors, 75 % of the memory");
});
