import type { HookClient } from "./hook-client.ts";

// Kept apart from the schemas, which would be most of the script that a page loads.

export const HOOK_CLIENT_NAMES: Readonly<Record<HookClient, string>> = {
  claude: "Claude Code",
  codex: "Codex",
  gemini: "Gemini CLI",
  copilot: "Copilot CLI",
  cursor: "Cursor",
  vscode: "VS Code",
  opencode: "opencode",
  windsurf: "Windsurf",
  cline: "Cline",
};
