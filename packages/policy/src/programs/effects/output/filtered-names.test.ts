import { expect, it } from "vitest";
import { judge } from "../../../judge.ts";
import { defaultPolicy } from "../../../settings/policy.ts";

const decide = (command: string) =>
  judge(command, { home: "/home/agent", workspace: "/home/agent/w" }, defaultPolicy).decision;

it.each([
  "git diff --name-only | grep '\\.rs$' | xargs wc -l",
  "git show --name-only --format= HEAD | grep '\\.rs' | xargs -r rustfmt --check",
  "git ls-files | grep -E '\\.(rs|ts)$' | xargs wc -l",
])("P19 a filter for an ending selects no secret: %s", (command) => {
  expect(decide(command)).toBe("allow");
});

it.each([
  "ls -a | grep '\\.env$' | xargs cat",
  "ls -a | grep '\\.en' | xargs cat",
  "ls ~/.ssh | grep rs | xargs cat",
  "ls | grep '\\.pem$' | xargs cat",
  "ls | grep '\\.ke' | xargs cat",
])("P19 a filter that selects a secret asks: %s", (command) => {
  expect(decide(command)).not.toBe("allow");
});
