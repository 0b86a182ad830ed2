import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import {
  CLIENT_SETUPS,
  HOOK_CLIENT_NAMES,
  HOOK_TIMEOUT_S,
  type HookClient,
  type McpServer,
  quoteWordIfNeeded,
  type SetupEntry,
  type SetupScope,
} from "@belay/protocol";
import { addEntry, type IsOurs, problemIn, removeEntry } from "./edit-config.ts";

/** The parts of a client to set up: Belay's tools, the hook of its own shell, or both. */
export interface ConnectWhat {
  client: HookClient;
  scope: SetupScope;
  mcp: boolean;
  hook: boolean;
  agent: string;
  /** Another machine's gateway; null: the one on this machine. */
  url: string | null;
  /** The program that the client starts: `bin/belay.mjs`. */
  program: string;
}

/** One file before and after; null: it does not exist. */
export interface FileChange {
  path: string;
  before: string | null;
  after: string | null;
  isExecutable: boolean;
}

/** What `belay connect` would change. Nothing is written. */
export async function planConnect(what: ConnectWhat, { isRemoval }: { isRemoval: boolean }): Promise<FileChange[]> {
  const changes = new Map<string, FileChange>();
  const isOurs = ownElement(what.client);
  for (const entry of entriesOf(what)) {
    const path = pathOf(entry, what.scope);
    const change = changes.get(path) ?? (await startChange(path, entry));
    if (isRemoval) change.after = change.after === null ? null : removeEntry(change.after, entry, isOurs);
    else change.after = addEntry(change.after, entry, isOurs);
    changes.set(path, change);
  }
  return [...changes.values()].filter(({ before, after }) => before !== after);
}

export function entriesOf({ client, scope, mcp, hook, agent, url, program }: ConnectWhat): readonly SetupEntry[] {
  const setup = CLIENT_SETUPS[client];
  const [mcpOf, hookOf] = [setup.mcp[scope], setup.hook[scope]];
  const missing = [...(mcp && !mcpOf ? ["MCP servers"] : []), ...(hook && !hookOf ? ["hooks"] : [])];
  if (missing.length > 0 && !((mcp && mcpOf) || (hook && hookOf))) {
    const other = scope === "person" ? "--project" : "without --project";
    throw new Error(`${HOOK_CLIENT_NAMES[client]} reads no ${missing.join(" or ")} there. Try it ${other}.`);
  }
  const server: McpServer =
    url === null
      ? { type: "program", command: "node", args: [program, "mcp", "--agent", agent] }
      : { type: "address", url: `${url.replace(/\/$/, "")}/mcp`, token: { type: "variable", name: "BELAY_TOKEN" } };
  const command = hookCommandLine(program, client, agent);
  return [...(mcp && mcpOf ? mcpOf(server) : []), ...(hook && hookOf ? hookOf(command) : [])];
}

/** The same for every version, because some clients trust a hook by its exact text. */
function hookCommandLine(program: string, client: HookClient, agent: string): string {
  const named = agent === client ? [] : ["--agent", agent];
  return ["node", program, "hook", client, "--timeout", String(HOOK_TIMEOUT_S), ...named]
    .map(quoteWordIfNeeded)
    .join(" ");
}

/** An entry is ours if it starts `belay hook` for this client, from any path, or asks for the token. */
export function ownElement(client: HookClient): IsOurs {
  const command = new RegExp(`belay(\\.mjs)?['"\\\\]* hook ${client}\\b|"id":"belay-token"`);
  return (element) => command.test(JSON.stringify(element));
}

export function pathOf({ file }: SetupEntry, scope: SetupScope): string {
  if (isAbsolute(file)) return file;
  return join(scope === "person" ? homedir() : process.cwd(), file);
}

async function startChange(path: string, { format, isExecutable }: SetupEntry): Promise<FileChange> {
  const before = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw new Error(`${path} cannot be read: ${error.message}`);
  });
  const problem = format === "json" && before !== null && before.trim() !== "" ? problemIn(before) : null;
  if (problem !== null) throw new Error(`${path} is not JSON (${problem}). Fix it first; nothing was changed.`);
  const after = before?.trim() === "" ? null : before;
  return { path, before, after, isExecutable: isExecutable === true };
}
