import { expect, it } from "vitest";
import { judge } from "../judge.ts";
import { defaultPolicy } from "../settings/policy.ts";

const decide = (command: string) =>
  judge(command, { home: "/home/agent", workspace: "/home/agent/w" }, defaultPolicy).decision;

it.each([
  'app=$(find target/debug -maxdepth 1 -type f -executable | head -1); "$app" --version',
  "$(find build/bin -type f -name 'test_*' | head -1)",
  'for t in $(find build/tests -type f -executable); do "$t" || echo "$t failed"; done',
])("P14 a program that was built from the project may be named by a search: %s", (command) => {
  expect(decide(command)).toBe("allow");
});

it.each([
  "$(find scripts -type f | head -1)",
  "$(find /tmp/x -type f -executable | head -1)",
  "$(find target/debug -name x -exec echo rm \\; | head -1) -rf src",
  "$(find target/debug -name x -printf rm) -rf src",
  "printf '#!/bin/sh\\ngit push\\n' > target/debug/x; $(find target/debug -type f | head -1)",
  "ln -s /tmp target/debug/y; $(find target/debug -type f | head -1)",
])("P14 any other program that is unknown asks: %s", (command) => {
  expect(decide(command)).not.toBe("allow");
});
