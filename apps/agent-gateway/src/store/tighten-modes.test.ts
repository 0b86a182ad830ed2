import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeDeepTree } from "@belay/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { openStore } from "./open.ts";

test("S7 permissions in the data folder are tightened at the start; links and the trash stay as they are", async () => {
  const dir = mkdtempSync(join(tmpdir(), "belay-modes-"));
  const outside = mkdtempSync(join(tmpdir(), "belay-outside-"));
  onTestFinished(() => [dir, outside].forEach((path) => void rmSync(path, { recursive: true, force: true })));
  for (const name of ["keys", "recordings", "trash"]) mkdirSync(join(dir, name), { mode: 0o755 });
  const files = ["keys/session-secret", "recordings/a.raw", "security.json", "trash/script.sh"];
  for (const name of files) writeFileSync(join(dir, name), "x".repeat(43), { mode: 0o755 });
  writeFileSync(join(outside, "open"), "");
  symlinkSync(outside, join(dir, "terminals"));
  for (const path of [dir, outside]) chmodSync(path, 0o755);

  await (await openStore(dir, { url: null, mode: "alone" })).close();

  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
  expect([dir, join(dir, "keys"), join(dir, "recordings")].map(mode)).toEqual(["700", "700", "700"]);
  expect(["belay.db", ...files].map((name) => mode(join(dir, name)))).toEqual(["600", "700", "700", "700", "755"]);
  expect(mode(outside)).toBe("755");
});

test("S7 what an agent's programs leave in the folder of a terminal does not keep the gateway from starting", async () => {
  const dir = mkdtempSync(join(tmpdir(), "belay-modes-"));
  onTestFinished(() => void spawnSync("rm", ["-rf", dir]));
  const terminal = join(dir, "terminals/pty-1");
  mkdirSync(terminal, { recursive: true, mode: 0o755 });
  chmodSync(join(dir, "terminals"), 0o755);
  makeDeepTree(terminal);

  await (await openStore(dir, { url: null, mode: "alone" })).close();

  expect((statSync(join(dir, "terminals")).mode & 0o777).toString(8)).toBe("700");
});
