import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

// In a separate realm no Node environment is entered. Garbage collection there once crashed the whole
// process on Node 24: "Assertion failed: (env) != nullptr".
const COLLECT_STATEMENTS_ELSEWHERE = `
  const db = new (require("better-sqlite3"))(":memory:");
  for (let made = 0; made < 300; made += 1) db.prepare("SELECT 1").get();
  new ShadowRealm().evaluate("() => { const kept = []; for (let made = 0; made < 3e6; made += 1) kept.push({}); }")();
  console.log("survived");
`;

test("G1 the database module survives garbage collection on this Node", () => {
  const args = ["--experimental-shadow-realm", "-e", COLLECT_STATEMENTS_ELSEWHERE];

  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: import.meta.dirname, encoding: "utf8" });

  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "survived\n", stderr: "" });
});
