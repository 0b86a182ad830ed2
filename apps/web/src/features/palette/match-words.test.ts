import { expect, test } from "vitest";
import { matchWords } from "./match-words.ts";

test("W11 the palette matches whole words or parts of them, in any order, not scattered letters", () => {
  expect(matchWords("folder /tmp/belay-Zed/work", "freeze")).toBe(0);
  expect(matchWords("pty-1 builder running npm test /srv/app", "test builder")).toBeGreaterThan(0);
  expect(matchWords("pty-1 builder running npm test /srv/app", "/srv")).toBeGreaterThan(0);
  expect(matchWords("page Approvals", "appr")).toBeGreaterThan(0);
  expect(matchWords("Freeze all agents", "freeze nothing")).toBe(0);
});

test("W11 what begins like the typed text comes first, then what has a word that begins so", () => {
  const entries = ["agent anti-freeze", "agent deepfreeze", "Freeze all agents"];
  const best = entries.toSorted((one, other) => matchWords(other, "freeze") - matchWords(one, "freeze"));

  expect(best).toEqual(["Freeze all agents", "agent anti-freeze", "agent deepfreeze"]);
});
