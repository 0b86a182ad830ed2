import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const EXAMPLE = fileURLToPath(new URL("../../../../../examples/embed.mjs", import.meta.url));

test("C12 A8 A10 the example program runs on the built library", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [EXAMPLE]);

  expect(JSON.parse(stdout)).toEqual({
    listed: "hello from a program",
    counted: "2",
    kept: "belay in /",
    denied: expect.stringContaining("Matches the blocked pattern"),
    level: "dangerous",
    parts: ["git", "add", ".", "git", "status"],
  });
});
