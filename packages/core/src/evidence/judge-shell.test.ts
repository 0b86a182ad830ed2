import { describe, expect, it } from "vitest";
import { judgeShell, type ReadingShell } from "./judge-shell.ts";

const idle: ReadingShell = {
  kind: "bash",
  isShell: true,
  isEditing: true,
  silentMs: 50,
  hasHooks: true,
  isStarting: false,
  typed: null,
  hasReacted: true,
  isTakingBack: false,
};
const runs = (line: string) => ({ typed: { line, hasStarted: true } });
const typed = { typed: { line: "if true", hasStarted: false } };

describe("D2 a shell that reads its terminal", () => {
  it.each([
    ["asks through read", { ...runs("read x"), isEditing: false }, "question"],
    ["asks through read -e, in its editor", runs("read -e x"), "question"],
    ["asks through a function", { ...runs("ask"), isEditing: false }, "question"],
    ["is no longer a shell", { ...runs("exec python3"), isShell: false }, "question"],
    ["may still print a marker", runs("PS1=x"), "too-early"],
    ["has lost its hooks", { ...runs("PS1=x"), silentMs: 800 }, "prompt"],
    ["wants the rest of a text", { ...typed, silentMs: 3_000 }, "unfinished"],
    ["may only be late", { ...typed, silentMs: 800 }, "too-early"],
    ["has only just been given a text", typed, "too-early"],
    ["never had hooks, and is done", { ...runs("ls"), hasHooks: false, kind: "other" }, "prompt"],
    ["never had hooks, and has not reacted to the text", { ...typed, hasHooks: false, hasReacted: false }, "too-early"],
    ["is a sh with another prompt", { ...runs("ls"), kind: "sh", isEditing: false, silentMs: 800 }, "prompt"],
    ["has not shown its first prompt yet", { hasHooks: false, isStarting: true }, "too-early"],
    ["has become another shell in its own files", { hasHooks: false, isStarting: true, silentMs: 800 }, "prompt"],
    ["missed an interrupt", { isTakingBack: true, silentMs: 200 }, "interrupt-again"],
  ] as const)("%s", (_, shell, verdict) => expect(judgeShell({ ...idle, ...shell })).toBe(verdict));
});
