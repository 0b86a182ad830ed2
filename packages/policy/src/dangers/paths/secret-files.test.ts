import { expect, it } from "vitest";
import { judge } from "../../judge.ts";
import { defaultPolicy } from "../../settings/policy.ts";

const decide = (command: string) =>
  judge(command, { home: "/home/agent", workspace: "/home/agent/w" }, defaultPolicy).decision;

it.each(['grep -q "^DATABASE_URL=" .env && echo set', "grep -c API_KEY .env", "wc -l .env.local"])(
  "P19 whether a secret is there, and not what it is, does not ask: %s",
  (command) => {
    expect(decide(command)).toBe("allow");
  },
);

it.each([
  "grep API_KEY .env",
  "grep -q '^API_KEY=s' .env && echo yes",
  "grep -qi ABC .env",
  "grep -q sk- .env",
  "grep -qE '^(A|B)' .env",
  "grep -c -f .env src/a.ts",
  "wc --files0-from=.env",
])("P19 what tells parts of a secret asks: %s", (command) => {
  expect(decide(command)).toBe("ask");
});

it.each(["sed -n 1,80p ~/.codex/skills/pdf/SKILL.md", "cat ~/.cursor/rules/style.mdc"])(
  "P19 what a client's agents are told to do is no secret: %s",
  (command) => {
    expect(decide(command)).toBe("allow");
  },
);

it.each([
  "cat ~/.codex/auth.json",
  "cat ~/.codex/skills/../auth.json",
  "cat ~/.codex/skills/pdf/.env",
  "tar c ~/.codex",
])("P19 the credentials beside it are: %s", (command) => {
  expect(decide(command)).toBe("ask");
});

it("P5 a script that lies among secrets asks, and a copy of a secret is never run", () => {
  expect(decide("node ~/.codex/skills/pdf/run.mjs")).toBe("ask");
  expect(decide("python3 ~/.aws/rotate.py")).toBe("ask");
  expect(decide("cp ~/.aws/credentials x.py; python3 x.py")).toBe("deny");
});
