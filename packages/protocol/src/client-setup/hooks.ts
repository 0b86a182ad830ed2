import { addToJson, type SetupEntry, setJson } from "./types.ts";

/** How long a client waits for its hook, which is also how long people have to answer. */
export const HOOK_TIMEOUT_S = 600;

export function claudeHooks(file: string, command: string): readonly SetupEntry[] {
  const run = { type: "command", command, timeout: HOOK_TIMEOUT_S, onFailure: "block" };
  const { onFailure: _, ...report } = { ...run, timeout: 10 };
  return [
    addToJson(file, ["hooks", "PreToolUse"], { matcher: "Bash", hooks: [run] }),
    addToJson(file, ["hooks", "PostToolUse"], { matcher: "Bash", hooks: [report] }),
  ];
}

export function codexHooks(file: string, command: string): readonly SetupEntry[] {
  const run = { type: "command", command, timeout: HOOK_TIMEOUT_S };
  return [
    addToJson(file, ["hooks", "PreToolUse"], { matcher: "Bash", hooks: [run] }),
    addToJson(file, ["hooks", "PostToolUse"], { matcher: "Bash", hooks: [{ ...run, timeout: 10 }] }),
  ];
}

export function geminiHooks(file: string, command: string): readonly SetupEntry[] {
  const run = { name: "belay", type: "command", command, timeout: HOOK_TIMEOUT_S * 1000 };
  return [
    addToJson(file, ["hooks", "BeforeTool"], { matcher: "run_shell_command", hooks: [run] }),
    addToJson(file, ["hooks", "AfterTool"], { matcher: "run_shell_command", hooks: [{ ...run, timeout: 10_000 }] }),
  ];
}

export function copilotHooks(file: string, command: string): readonly SetupEntry[] {
  const run = { type: "command", bash: command, timeoutSec: HOOK_TIMEOUT_S };
  return [setJson(file, [], { version: 1, hooks: { preToolUse: [run], postToolUse: [{ ...run, timeoutSec: 10 }] } })];
}

export function cursorHooks(file: string, command: string): readonly SetupEntry[] {
  return [
    setJson(file, ["version"], 1),
    addToJson(file, ["hooks", "beforeShellExecution"], { command, timeout: HOOK_TIMEOUT_S, failClosed: true }),
    addToJson(file, ["hooks", "afterShellExecution"], { command, timeout: 10 }),
  ];
}

export function windsurfHooks(file: string, command: string): readonly SetupEntry[] {
  return [
    addToJson(file, ["hooks", "pre_run_command"], { command, show_output: true }),
    addToJson(file, ["hooks", "post_run_command"], { command, show_output: false }),
  ];
}

export function clineHooks(folder: string, command: string): readonly SetupEntry[] {
  const script = `#!/bin/sh\n# Asks Belay before each command.\nexec ${command}\n`;
  return ["PreToolUse", "PostToolUse"].map((name) => ({
    file: `${folder}/${name}`,
    format: "text",
    path: [],
    way: "set",
    value: script,
    isExecutable: true,
  }));
}
