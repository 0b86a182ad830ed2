import { HOOK_CLIENT_NAMES } from "../client-names.ts";
import type { HookClient } from "../hook-client.ts";
import { plainServer, variableAs } from "./servers.ts";
import { CLIENT_SETUPS } from "./setups.ts";
import { textOfEntries } from "./text.ts";
import type { ClientSetup, McpServer, SetupEntry } from "./types.ts";

/** Text to paste, and where to paste it. */
export interface ConnectSnippet {
  where: string;
  format: "sh" | "json" | "toml";
  text: string;
}

/** `mcp` stands for any other client that speaks MCP. */
export type SnippetClient = HookClient | "mcp";

/** The clients that can use Belay's tools, in the order in which they are offered. */
export const SNIPPET_CLIENTS: readonly { id: SnippetClient; name: string }[] = [
  ...(Object.keys(CLIENT_SETUPS) as HookClient[])
    .filter((id) => CLIENT_SETUPS[id].mcp.person ?? CLIENT_SETUPS[id].mcp.project)
    .map((id) => ({ id, name: HOOK_CLIENT_NAMES[id] })),
  { id: "mcp", name: "Any MCP client" },
];

/** Every way to set up a client with Belay's tools, the shortest first. */
export function snippetsFor(client: SnippetClient, server: McpServer): readonly ConnectSnippet[] {
  if (client === "mcp") {
    const more = server.type === "address" ? { type: "http" } : {};
    const value = { mcpServers: { belay: plainServer(server, variableAs.braces, more) } };
    const where = "In the format that most clients read:";
    return [{ where, format: "json", text: JSON.stringify(value, null, 2) }];
  }
  const { mcp, mcpCommand } = CLIENT_SETUPS[client];
  const entries = (mcp.person ?? mcp.project)?.(server) ?? [];
  const byHand = entries.length === 0 ? [] : [fileSnippet(entries, placesOf(mcp, server))];
  return mcpCommand ? [{ where: "In a shell:", format: "sh", text: mcpCommand(server) }, ...byHand] : byHand;
}

/**
 * The arguments of `belay connect` that set up everything a client supports. Only some clients have a configuration
 * file for each person.
 */
export function connectArguments(client: HookClient): string {
  const { mcp, hook } = CLIENT_SETUPS[client];
  const needs = [...(hook.person ? [] : ["--project"]), ...((mcp.person ?? mcp.project) ? [] : ["--hook"])];
  return [client, ...needs].join(" ");
}

/** The setting that disables a client's own shell tool. */
export function ownShellSnippet(client: HookClient): ConnectSnippet | null {
  const entry = CLIENT_SETUPS[client].withoutOwnShell;
  return entry ? fileSnippet([entry], `\`${entry.file}\` of the project`) : null;
}

function fileSnippet(entries: readonly SetupEntry[], place: string): ConnectSnippet {
  const format = entries[0]?.format === "toml" ? "toml" : "json";
  return { where: `In ${place}:`, format, text: textOfEntries(entries) };
}

function placesOf({ person, project }: ClientSetup["mcp"], server: McpServer): string {
  const [own, shared] = [person?.(server)[0]?.file, project?.(server)[0]?.file];
  if (own === undefined) return `\`${shared}\` of a project`;
  return `\`~/${own}\`${shared === undefined ? "" : `, or \`${shared}\` of a project`}`;
}
