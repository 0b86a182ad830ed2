import { expect, test } from "vitest";
import { judge } from "./judge.ts";
import { defaultPolicy } from "./settings/policy.ts";

test.each([
  ["a command by itself", "rm -r build", ["rm -r build"]],
  ["what a shell is given", "bash -c 'cd /srv && rm -r old'", ["cd /srv", "rm -r old"]],
  ["what wrappers start", "nohup env A=1 timeout 5 rm -r build", ["rm -r build"]],
  ["both sides of a pipe", "cat list | xargs rm", ["cat list", "rm …"]],
  ["a variable that is known", "X=rm; $X -r build", ["rm -r build"]],
  ["the same thing once", "true; true", ["true"]],
])("W3 a person sees %s", (_what, text, expected) => {
  expect(judge(text, {}, defaultPolicy).runs).toEqual(expected);
});

test("W3 a person sees through what earlier commands defined", () => {
  const { memoryAfter } = judge("tidy() { rm -r build; }", {}, defaultPolicy);

  expect(judge("tidy", { memory: memoryAfter }, defaultPolicy).runs).toContain("rm -r build");
});
