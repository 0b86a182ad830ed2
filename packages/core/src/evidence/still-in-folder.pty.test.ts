import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TerminalInfo } from "@belay/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isStillInFolder } from "./still-in-folder.ts";

let base: string;
let child: ChildProcess;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "belay-folder-")));
  mkdirSync(join(base, "work"));
  child = spawn("sleep", ["60"], { cwd: join(base, "work"), stdio: "ignore" });
});

afterEach(() => {
  child.kill("SIGKILL");
  rmSync(base, { recursive: true });
});

function shell(changes: Partial<TerminalInfo> = {}): TerminalInfo {
  const at = { cwd: join(base, "work"), state: { status: "running", pid: child.pid ?? 0 } } as const;
  return { ...at, activity: { kind: "idle" }, ...changes } as TerminalInfo;
}

test("G2 an idle shell in its last known folder needs no second look", () => {
  expect(isStillInFolder(shell())).toBe(true);
});

test.each<[string, Partial<TerminalInfo>]>([
  ["it is elsewhere", { cwd: "/" }],
  ["it is busy", { activity: { kind: "busy", commandId: null, line: "", since: 0, wants: "nothing" } }],
  ["it is on another machine", { machine: "build-1" }],
  ["it has ended", { state: { status: "closed", reason: "exited", exitCode: 0 } }],
  ["its process is gone", { state: { status: "running", pid: 2 ** 22 + 1 } }],
])("G2 a shell is looked at again if %s", (_, changes) => {
  expect(isStillInFolder(shell(changes))).toBe(false);
});

test("G2 a shell is looked at again if its folder was moved, even if the old path still leads there", () => {
  renameSync(join(base, "work"), join(base, "moved"));
  symlinkSync(join(base, "moved"), join(base, "work"));

  expect(isStillInFolder(shell())).toBe(false);
});
