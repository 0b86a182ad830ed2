import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { policyCommand } from "../doors/cli/commands/policy.ts";
import { loadSettings } from "../env.ts";

const FOLDER = fileURLToPath(new URL("../../../../examples/policies/", import.meta.url));
const recipes = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));

test("A8 there are ten recipes, and the page about the policy names each", () => {
  const page = readFileSync(new URL("../../../../docs/policy.md", import.meta.url), "utf8");

  expect(recipes).toHaveLength(10);
  expect(recipes.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test.each(recipes)("A8 %s passes its cases", async (name) => {
  let printed = "";
  let exitCode = 0;
  const command = policyCommand({
    settings: loadSettings({ HOME: "/home/none" }, "/home/none/project"),
    securityFile: null,
    print: (text: string) => {
      printed += `${text}\n`;
    },
    setExitCode: (code: number) => {
      exitCode = code;
    },
  });

  const args = ["test", `${FOLDER}${name}l`, "--file", `${FOLDER}${name}`, "--min-exact", "100"];
  await command.parseAsync(args, { from: "user" });

  expect({ printed, exitCode }).toEqual({
    printed: expect.stringMatching(/^exact (\d+) of \1, unsafe 0, friction 0\n$/),
    exitCode: 0,
  });
});
