import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command, Option } from "commander";
import { expect, test } from "vitest";
import { loadSettings } from "../../env.ts";
import { createProgram } from "./program.ts";

/** The command line without its declarations: `name?: type` is a promise, `options.name` and `{ name }` read it. */
const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.includes(".test."))
  .map((name) => readFileSync(join(import.meta.dirname, name), "utf8"))
  .join("\n");

/** Every other test of the gateway, and what they share. */
const GATEWAY = join(import.meta.dirname, "../..");
const tests = readdirSync(GATEWAY, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.test\.ts$|(?:^|\/)testing\/.*\.ts$/.test(name) && !name.endsWith("/every-option.test.ts"))
  .map((name) => readFileSync(join(GATEWAY, name), "utf8"))
  .join("\n");

/** As a word of its own in a list of arguments, not only in a sentence that mentions it. */
const isUsed = (flag: string) => tests.includes(`"${flag}"`);

const isRead = (name: string) =>
  new RegExp(String.raw`\.${name}\b|[{,]\s*${name}\s*(?:[,}=]|:\s*\w+\s*[,}])`).test(sources);

function optionsOf(command: Command): Option[] {
  return [...command.options, ...command.commands.flatMap((child) => optionsOf(child))];
}

const options = optionsOf(createProgram(loadSettings({ HOME: "/" }, "/")));

test("G1 every option of the command line is read", () => {
  const names = new Set(options.map((option) => option.attributeName()));
  // Commander itself prints the version.
  names.delete("version");

  expect(names.size).toBeGreaterThan(50);
  expect([...names].filter((name) => !isRead(name))).toEqual([]);
  expect(isRead("neverDeclared")).toBe(false);
});

test("G1 every option of the command line is used by a test", () => {
  const unused = options.filter(({ long, flags }) => !isUsed(long ?? flags));

  expect(unused.map(({ flags }) => flags)).toEqual([]);
  expect(isUsed("--never-declared")).toBe(false);
});
