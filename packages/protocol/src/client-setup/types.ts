/**
 * How to configure each client for Belay: the one source for `belay connect`, the console's snippets and the
 * documentation.
 *
 * A client can use Belay's terminals as tools (MCP), or keep its own shell and ask Belay before each command (hook).
 */
export interface ClientSetup {
  /** Null if the client reads no such file. */
  mcp: Readonly<Record<SetupScope, ((server: McpServer) => readonly SetupEntry[]) | null>>;
  /** The client's own shell command that adds a server. */
  mcpCommand?: (server: McpServer) => string;
  hook: Readonly<Record<SetupScope, ((command: string) => readonly SetupEntry[]) | null>>;
  /** What the client does with a command if its hook does not answer in time. */
  lateHook: WithoutAnswer;
  /** What the client does with a command if its hook fails. */
  brokenHook: WithoutAnswer;
  /** The setting that disables the client's own shell tool, so that all commands go through Belay. */
  withoutOwnShell?: SetupEntry;
  /** What else a person has to know or do, for the tools and for the hook. */
  mcpNotes: readonly string[];
  notes: readonly string[];
}

type WithoutAnswer = "runs" | "does not run";

/** One entry in one of a client's configuration files. */
export interface SetupEntry {
  /** Relative to the home folder in a person's configuration, and to the project in a team's. */
  file: string;
  format: "json" | "toml" | "text";
  /** The path of keys to the entry; empty for a text, which is the whole file. */
  path: readonly string[];
  /** `set` replaces the value of that key. `add` appends an element to the list there. */
  way: "set" | "add";
  value: unknown;
  /** A text file that must be executable. */
  isExecutable?: true;
}

export type SetupScope = "person" | "project";

/** How the client reaches the tools: a program that it starts, or an address with a token. */
export type McpServer =
  | { type: "program"; command: string; args: readonly string[] }
  | { type: "address"; url: string; token: ServerToken };

/** From a variable of the client's environment, or a literal value. */
export type ServerToken = { type: "variable"; name: string } | { type: "value"; value: string };

export function setJson(file: string, path: readonly string[], value: unknown): SetupEntry {
  return { file, format: "json", path, way: "set", value };
}

export function addToJson(file: string, path: readonly string[], value: unknown): SetupEntry {
  return { file, format: "json", path, way: "add", value };
}
