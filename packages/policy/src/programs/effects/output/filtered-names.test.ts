import { expect, it } from "vitest";
import { judge } from "../../../judge.ts";
import { defaultPolicy } from "../../../settings/policy.ts";

const decide = (command: string) =>
  judge(command, { home: "/home/agent", workspace: "/home/agent/w" }, defaultPolicy).decision;

it.each([
  "ls -a | grep env | xargs cat",
  "ls -A | grep '^\\.env' | xargs -n1 head",
  "cat $(ls -a | grep -i env)",
  'f=$(ls -a | grep ^.env); cat "$f"',
  "ls | grep -E 'pem|crt' | xargs cat",
  "ls -la | awk '{print $9}' | grep env | xargs cat",
  "ls -A | xargs cat",
  "grep -r . --include='.env*'",
  "rg -g '*.pem' BEGIN",
])("P19 a filter that can name secret files asks: %s", (command) => {
  expect(decide(command)).toBe("ask");
});

it.each([
  "ls | grep test | xargs cat",
  "ls -a | grep '\\.ts$' | xargs cat",
  "ls src | grep -v env | xargs wc -l",
  "ls | grep environment | xargs cat",
  "ls -a | grep env",
  "cat $(ls | grep config)",
  "grep -r foo --include='*.py' src",
  "rg -g '*.ts' -g '!*.test.ts' foo",
])("P19 a filter that names no secret files does not ask: %s", (command) => {
  expect(decide(command)).toBe("allow");
});
