import { expect, test } from "vitest";
import { requireStrongPassword } from "./password-rules.ts";

const ada = { email: "ada.lovelace@belay.test", name: "Ada Lovelace" };

test.each([
  ["short", /at least 10 characters/],
  ["x".repeat(129), /more than 128/],
  ["Password123", /most common/],
  ["aaaaaaaaaaab", /too few different/],
  ["121212121212", /too few different/],
  ["ada.lovelace1", /little more than the name/],
  ["AdaLovelace!!", /little more than the name/],
  ["ada.lovelace@belay.test", /little more than the name/],
])("W8 %j is refused, and why", (password, why) => {
  expect(() => requireStrongPassword(password, ada)).toThrow(why);
});

test.each(["correct horse battery", "tr0ub4dor&3x", "ada.lovelace writes programs", "žluťoučký kůň"])(
  "W8 %j is taken",
  (password) => {
    expect(() => requireStrongPassword(password, ada)).not.toThrow();
  },
);
