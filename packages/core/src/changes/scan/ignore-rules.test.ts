import { expect, test } from "vitest";
import { IgnoreRules } from "./ignore-rules.ts";

/** Whether each path is left out; folders end in a slash. */
function leftOut(include: string[], paths: string[]): boolean[] {
  const rules = new IgnoreRules({ include: [...include], exclude: [] }, new Map());
  return paths.map((path) => {
    const isFolder = path.endsWith("/");
    const names = path.replace(/\/$/, "").split("/");
    return rules.leavesOut(names.slice(0, -1).join("/"), names.at(-1) ?? "", isFolder);
  });
}

test("X9 an ignored folder is entered only where a pattern of undo.include leads through it", () => {
  const paths = [
    "node_modules/",
    "node_modules/a/",
    "node_modules/a/own.js",
    "node_modules/b/",
    "node_modules/b/own.js",
  ];

  expect(leftOut([], paths)).toEqual([true, true, true, true, true]);
  expect(leftOut(["own.js"], paths)).toEqual([true, true, false, true, false]);
  expect(leftOut(["node_modules/a/own.js"], paths)).toEqual([false, false, false, true, true]);
  expect(leftOut(["/node_modules/*/own.js"], paths)).toEqual([false, false, false, false, false]);
  expect(leftOut(["node_modules/**/own.js"], paths)).toEqual([false, true, false, true, false]);
});
