import { expect, test } from "vitest";
import { whatRuns } from "./what-runs.ts";

test.each([
  ["a command by itself", "rm -r build", ["rm -r build"]],
  ["what a shell is given", "bash -c 'cd /srv && rm -r old'", ["cd /srv", "rm -r old"]],
  ["what wrappers start", "nohup env A=1 timeout 5 rm -r build", ["rm -r build"]],
  ["both sides of a pipe", "cat list | xargs rm", ["cat list", "rm …"]],
  ["a variable that is known", "X=rm; $X -r build", ["rm -r build"]],
  ["the same thing once", "true; true", ["true"]],
])("W3 a person sees %s", (_what, text, expected) => {
  const lines = whatRuns(text, {});

  expect(lines).toEqual(expected);
});

test("W3 what cannot be seen is named here too", () => {
  expect(whatRuns("rm 'a\u202eb'", {})).toEqual([expect.stringContaining("<U+202E>")]);
});
