import type { HookClient } from "@belay/protocol";

/** A sample call of a client's hook before a command, as documented or observed: for tests, and to verify that a hook answers. */
export function sampleCall(client: HookClient, command: string, cwd: string): object {
  const claude = { transcript_path: "/dev/null", cwd, hook_event_name: "PreToolUse", permission_mode: "default" };
  const bash = { tool_name: "Bash", tool_input: { command, description: "A test" }, tool_use_id: "call-1" };
  switch (client) {
    case "claude":
      return { session_id: "s-1", prompt_id: "p-1", ...claude, ...bash };
    case "codex":
      return { session_id: "s-1", turn_id: "t-1", model: "some-model", ...claude, ...bash };
    case "vscode": {
      const { hook_event_name: hookEventName, ...rest } = claude;
      return {
        sessionId: "s-1",
        timestamp: "2026-11-01T00:00:00Z",
        hookEventName,
        ...rest,
        ...bash,
        tool_name: "run_in_terminal",
      };
    }
    case "gemini":
      return {
        session_id: "s-1",
        transcript_path: "/dev/null",
        cwd,
        hook_event_name: "BeforeTool",
        timestamp: "2026-11-01T00:00:00Z",
        tool_name: "run_shell_command",
        tool_input: { command, description: "A test" },
      };
    case "copilot":
      return {
        sessionId: "s-1",
        timestamp: 1793491200000,
        cwd,
        toolName: "bash",
        toolArgs: { command, description: "A test" },
      };
    case "cursor":
      return {
        hook_event_name: "beforeShellExecution",
        conversation_id: "s-1",
        generation_id: "g-1",
        workspace_roots: [cwd],
        command,
        cwd,
      };
    case "opencode":
      return { event: "tool.execute.before", sessionID: "s-1", callID: "call-1", cwd, command };
    case "windsurf":
      return {
        agent_action_name: "pre_run_command",
        trajectory_id: "s-1",
        execution_id: "call-1",
        timestamp: "2026-11-01T00:00:00Z",
        tool_info: { command_line: command, cwd },
      };
    case "cline":
      return {
        hookName: "PreToolUse",
        taskId: "s-1",
        workspaceRoots: [cwd],
        preToolUse: { toolName: "execute_command", parameters: { command } },
      };
  }
}
