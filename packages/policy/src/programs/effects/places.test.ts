import { expect, test } from "vitest";
import { judge } from "../../judge.ts";
import { field } from "../../language/state/values.ts";
import { defaultPolicy } from "../../settings/policy.ts";
import { placesIn } from "./places.ts";

test.each([
  ["-o/x/y", ["/x/y"]],
  ["-Xlog:gc:file=/x/y", ["/x/y"]],
  ["--opt=a,../b", ["../b"]],
  ["@list.txt", ["list.txt"]],
  [":Name=~/x", ["~/x"]],
  ["--some.option", []],
  ["file:///x/y", ["/x/y"]],
  ["see /x for more", []],
])("P92 finds the paths in %s", (word, paths) => {
  expect(placesIn(field(word)).paths.map(({ text }) => text)).toEqual(paths);
});

test("P92 keeps an address whole", () => {
  expect(placesIn(field("--from=https://host:80/a,b")).addresses).toEqual(["https://host:80/a,b"]);
});

const HOME = "/home/agent";
const decide = (command: string, profile: string) =>
  judge(command, { home: HOME, workspace: `${HOME}/workspace`, cwd: `${HOME}/workspace`, profile }, defaultPolicy)
    .decision;

test.each([
  "java -Xlog:gc:file=/home/agent/.bashrc -jar target/app.jar",
  "invented-tool -o/home/agent/.bashrc",
  "invented-tool --to=~/.profile",
  "invented-tool report:.git/hooks/pre-commit",
  "mdbook build --invented=.git/hooks/pre-commit",
])("P92 trusted asks about a protected file that an unknown word names: %s", (command) => {
  expect(decide(command, "trusted")).toBe("ask");
});

test.each(["strace -u root ls", "valgrind --tool=../../tmp/x ./build/test", "valgrind --invented=/tmp/x ./build/test"])(
  "P92 a wrapper with a strong option is not only what it runs: %s",
  (command) => {
    expect(decide(command, "standard")).toBe("ask");
  },
);

test.each([
  ["npx playwright test --base-url=http://127.0.0.1:3000", "allow"],
  ["npx playwright test --base-url=http://localhost.example.net", "ask"],
  ["npx playwright test --base-url=http://localhost@x.example.net", "ask"],
])("P92 an address of another machine asks: %s", (command, decision) => {
  expect(decide(command, "standard")).toBe(decision);
});
