import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { acquireLock } from "./lock.ts";

test("S7 other users cannot read the lock, and a second process does not get it", () => {
  const folder = mkdtempSync(join(tmpdir(), "belay-lock-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));

  const lock = acquireLock(join(folder, "gateway.lock"));
  const second = acquireLock(join(folder, "gateway.lock"));

  const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777);
  lock?.release();
  expect([...new Set(modes)]).toEqual([0o600]);
  expect(second).toBeNull();
});
