import { quoteWordIfNeeded } from "../shell-words.ts";
import { bearer, tokenVariable, variableAs } from "./servers.ts";
import type { McpServer } from "./types.ts";

/** The arguments with which the clients' own command lines add a server. */
type AddServer = (server: McpServer) => string;

export const claudeMcpAdd: AddServer = (server) =>
  server.type === "program"
    ? `claude mcp add belay -- ${programOf(server)}`
    : `claude mcp add --transport http belay ${server.url} \\\n  --header "Authorization: ${bearer(server.token, variableAs.dollar)}"`;

export const geminiMcpAdd: AddServer = (server) =>
  server.type === "program"
    ? `gemini mcp add belay ${programOf(server)}`
    : `gemini mcp add --transport http \\\n  --header "Authorization: ${bearer(server.token, variableAs.dollar)}" belay ${server.url}`;

export const codexMcpAdd: AddServer = (server) => {
  if (server.type === "program") return `codex mcp add belay -- ${programOf(server)}`;
  const variable = tokenVariable(server.token);
  const given = server.token.type === "value" ? `export ${variable}=${server.token.value}\n` : "";
  return `${given}codex mcp add belay --url ${server.url} --bearer-token-env-var ${variable}`;
};

function programOf({ command, args }: Extract<McpServer, { type: "program" }>): string {
  return [command, ...args].map(quoteWordIfNeeded).join(" ");
}
