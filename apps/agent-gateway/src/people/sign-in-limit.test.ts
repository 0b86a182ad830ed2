import { expect, test } from "vitest";
import { LocalFailures, SignInLimit } from "./sign-in-limit.ts";

const wrong = async () => ({ result: "wrong", isWrong: true, isRight: false });
const right = async () => ({ result: "right", isWrong: false, isRight: true });

test("S17 many wrong passwords slow down, but the right one still signs in", async () => {
  const limit = new SignInLimit({ failures: new LocalFailures(), longestDelayMs: 5 });
  const who = { email: "Ada@belay.test", address: "10.0.0.1" };

  const answers = [];
  for (let time = 0; time < 30; time += 1) answers.push(await limit.inTurn(who, wrong));
  const last = await limit.inTurn({ ...who, email: "ada@belay.test" }, right);

  expect(new Set(answers)).toEqual(new Set(["wrong"]));
  expect(last).toBe("right");
});

test("S17 guesses are tried one at a time, and do not delay the person at another address", async () => {
  const limit = new SignInLimit({ failures: new LocalFailures(), longestDelayMs: 60_000 });
  const guess = { email: "ada@belay.test", address: "10.0.0.66" };
  for (let time = 0; time < 10; time += 1) await limit.inTurn(guess, wrong);
  for (let time = 0; time < 10; time += 1) void limit.inTurn(guess, wrong);

  const tooMany = await limit.inTurn(guess, wrong);
  const elsewhere = await limit.inTurn({ ...guess, address: "10.0.0.1" }, right);

  expect([tooMany, elsewhere]).toEqual([null, "right"]);
});
