import { expect, it } from "vitest";
import { judge } from "../../../judge.ts";
import { defaultPolicy } from "../../../settings/policy.ts";

const decide = (command: string) =>
  judge(command, { home: "/home/agent", workspace: "/home/agent/w" }, defaultPolicy).decision;

it.each([
  "env | cut -d= -f1",
  "env | cut -d '=' -f 1 | sort -u",
  "printenv | sort | awk -F= '{print $1}'",
  "env | sed 's/=.*//' | head",
  "env | grep -c PROXY",
  "env | wc -l",
  "env | grep -E '^(PATH|HOME)='",
])("P19 printing only the names of variables does not ask: %s", (command) => {
  expect(decide(command)).toBe("allow");
});

it.each([
  "env",
  "env | cut -d= -f2",
  "env | cut -d= -f1-",
  "env | sed 's/=x.*//'",
  "env | awk -F= '{print $2}'",
  "env > out.txt | cut -d= -f1",
  "env | tee out.txt | cut -d= -f1",
  "{ env; cut -d= -f1; } | cat",
  "(env) | cut -d= -f$n",
  "env | cut -d= -f1 .env",
  "env | grep '^API_TOKEN='",
  "env | grep -i token",
  "env | sort",
])("P19 printing the values of variables asks: %s", (command) => {
  expect(decide(command)).toBe("ask");
});
