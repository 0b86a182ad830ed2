import { addToJson, type McpServer, type ServerToken, type SetupEntry, setJson } from "./types.ts";

/** How each client refers to an environment variable. */
export const variableAs = {
  dollar: (name: string) => `$${name}`,
  braces: (name: string) => `\${${name}}`,
  env: (name: string) => `\${env:${name}}`,
  curly: (name: string) => `{env:${name}}`,
};
type VariableAs = (name: string) => string;

export function bearer(token: ServerToken, variable: VariableAs): string {
  return `Bearer ${token.type === "variable" ? variable(token.name) : token.value}`;
}

/** The usual format of a server entry: `url` and `headers`, or `command` and `args`. */
export function plainServer(server: McpServer, variable: VariableAs, more: object = {}): object {
  return server.type === "program"
    ? { ...more, command: server.command, args: server.args }
    : { ...more, url: server.url, headers: { Authorization: bearer(server.token, variable) } };
}

export function claudeServer(file: string, server: McpServer): readonly SetupEntry[] {
  const more = server.type === "program" ? {} : { type: "http" };
  return [setJson(file, ["mcpServers", "belay"], plainServer(server, variableAs.braces, more))];
}

/** Codex only reads a token from its environment. */
export function codexServer(server: McpServer): readonly SetupEntry[] {
  const value =
    server.type === "program"
      ? { command: server.command, args: server.args }
      : { url: server.url, bearer_token_env_var: tokenVariable(server.token) };
  // Belay already asks. Without this setting, Codex would also ask its own user before each call.
  const quiet = { default_tools_approval_mode: "approve", tool_timeout_sec: 60 };
  const path = ["mcp_servers", "belay"];
  return [{ file: ".codex/config.toml", format: "toml", path, way: "set", value: { ...value, ...quiet } }];
}

/** The name of the environment variable with the token, for clients that read the token only from a variable. */
export function tokenVariable(token: ServerToken): string {
  return token.type === "variable" ? token.name : "BELAY_TOKEN";
}

export function geminiServer(server: McpServer): readonly SetupEntry[] {
  const value =
    server.type === "program"
      ? { command: server.command, args: server.args }
      : { httpUrl: server.url, headers: { Authorization: bearer(server.token, variableAs.dollar) } };
  return [setJson(".gemini/settings.json", ["mcpServers", "belay"], { ...value, trust: true })];
}

export function copilotServer(server: McpServer): readonly SetupEntry[] {
  const type = server.type === "program" ? "local" : "http";
  const value = { ...plainServer(server, variableAs.braces, { type }), tools: ["*"] };
  return [setJson(".copilot/mcp-config.json", ["mcpServers", "belay"], value)];
}

export function cursorServer(server: McpServer): readonly SetupEntry[] {
  return [setJson(".cursor/mcp.json", ["mcpServers", "belay"], plainServer(server, variableAs.env))];
}

/** VS Code asks for the token once, which keeps it out of a file that the whole team shares. */
export function vscodeServer(server: McpServer): readonly SetupEntry[] {
  const file = ".vscode/mcp.json";
  const path = ["servers", "belay"];
  if (server.type === "program") return [setJson(file, path, plainServer(server, variableAs.env, { type: "stdio" }))];
  const input = { type: "promptString", id: "belay-token", description: "Belay token", password: true };
  const headers = { Authorization: `Bearer \${input:${input.id}}` };
  return [addToJson(file, ["inputs"], input), setJson(file, path, { type: "http", url: server.url, headers })];
}

export function opencodeServer(file: string, server: McpServer): readonly SetupEntry[] {
  const value =
    server.type === "program"
      ? { type: "local", command: [server.command, ...server.args], enabled: true }
      : {
          type: "remote",
          url: server.url,
          headers: { Authorization: bearer(server.token, variableAs.curly) },
          oauth: false,
        };
  return [setJson(file, ["mcp", "belay"], value)];
}

export function windsurfServer(server: McpServer): readonly SetupEntry[] {
  const value =
    server.type === "program"
      ? plainServer(server, variableAs.env)
      : { serverUrl: server.url, headers: { Authorization: bearer(server.token, variableAs.env) } };
  return [setJson(".codeium/windsurf/mcp_config.json", ["mcpServers", "belay"], value)];
}
