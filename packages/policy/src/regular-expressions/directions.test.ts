import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { unanchoredIn } from "./find-unanchored.ts";

const SOURCES = new URL("..", import.meta.url).pathname;
const stated: Readonly<Record<string, Readonly<Record<string, string>>>> = JSON.parse(
  readFileSync(new URL("directions.json", import.meta.url), "utf8"),
);

const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.ts$/.test(file) && !/\.test\.ts$|^(?:fuzz|corpus|regular-expressions)\//.test(file))
  .toSorted();

/** `directions.json` says of each such expression what a match in the wrong place does. */
const found = Object.fromEntries(
  files
    .map((file) => [file, [...new Set(unanchoredIn(readFileSync(join(SOURCES, file), "utf8")))].toSorted()] as const)
    .filter(([, expressions]) => expressions.length > 0),
);

test("P84 each expression that can match anywhere states in which direction a wrong match goes", () => {
  const listed = Object.entries(stated).map(([file, of]) => [file, Object.keys(of).toSorted()]);
  // A new one: compare words or parse instead; or prove its direction and state it in directions.json.
  expect(Object.fromEntries(listed)).toEqual(found);
});

test("P84 a wrong match makes the verdict stricter, only cuts a text, or there is a reason why it permits nothing", () => {
  const directions = Object.values(stated).flatMap((of) => Object.values(of));
  expect(directions.filter((one) => !/^(?:stricter|cuts|looser: .{20,})$/.test(one))).toEqual([]);
});

test("P84 an expression in a new module would be noticed", () => {
  const lines = ["const a = /rm.*-r/;", "const b = /^rm$/;", 'const c = "/x/";', "x.split(/,/); y / 2; // z"];
  const inTemplate = ["`$", "{/z|^q/.test(b)}`"].join("");
  expect(unanchoredIn([...lines, inTemplate].join("\n"))).toEqual(["rm.*-r", "z|^q"]);
});
