/** The clients that have their own snippet, in the order in which they are offered. */
export const CLIENTS = [
  { id: "claude-code", name: "Claude Code" },
  { id: "codex", name: "Codex" },
  { id: "cursor", name: "Cursor" },
  { id: "vscode", name: "VS Code" },
  { id: "gemini", name: "Gemini CLI" },
  { id: "opencode", name: "opencode" },
  { id: "mcp", name: "Any MCP client" },
] as const;

export type ClientId = (typeof CLIENTS)[number]["id"];

export interface Snippet {
  /** Where to paste it. */
  where: string;
  text: string;
  /** What else is worth doing. */
  note?: string;
}

/** The configuration that connects a client to this gateway, ready to paste. docs/connect.md explains each. */
export function snippetFor(client: ClientId, { url, token }: { url: string; token: string }): Snippet {
  const mcp = `${url}/mcp`;
  const authorization = `Bearer ${token}`;
  const headers = { Authorization: authorization };
  switch (client) {
    case "claude-code":
      return {
        where: "In a shell:",
        text: `claude mcp add --transport http belay ${mcp} \\\n  --header "Authorization: ${authorization}"`,
        note: 'Claude Code has its own shell. To send all commands through Belay, add to .claude/settings.json: { "permissions": { "deny": ["Bash"], "allow": ["mcp__belay__terminal"] } }',
      };
    case "codex":
      return {
        where: "In a shell; Codex reads the token from the environment it is started in:",
        text: `export BELAY_TOKEN=${token}\ncodex mcp add belay --url ${mcp} --bearer-token-env-var BELAY_TOKEN`,
      };
    case "cursor":
      return {
        where: "In ~/.cursor/mcp.json, or .cursor/mcp.json in a project:",
        text: json({ mcpServers: { belay: { url: mcp, headers } } }),
      };
    case "vscode":
      return {
        where: "In .vscode/mcp.json. VS Code asks for the token once and stores it:",
        text: json({
          inputs: [{ type: "promptString", id: "belay-token", description: "Belay token", password: true }],
          servers: {
            // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code substitutes its own input.
            belay: { type: "http", url: mcp, headers: { Authorization: "Bearer ${input:belay-token}" } },
          },
        }),
        note: `The token that it asks for: ${token}`,
      };
    case "gemini":
      return {
        where: "In a shell:",
        text: `gemini mcp add --transport http \\\n  --header "Authorization: ${authorization}" belay ${mcp}`,
      };
    case "opencode":
      return {
        where: "In opencode.json of the project, or ~/.config/opencode/opencode.json:",
        text: json({
          $schema: "https://opencode.ai/config.json",
          mcp: { belay: { type: "remote", url: mcp, headers, oauth: false } },
          tools: { bash: false },
        }),
      };
    case "mcp":
      return {
        where: "Streamable HTTP, in the format that most clients read:",
        text: json({ mcpServers: { belay: { type: "http", url: mcp, headers } } }),
      };
  }
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
