import type { HookClient } from "./hook-client.ts";

/**
 * How to configure each client for Belay: one source for `belay connect`, the console's snippets and the documents.
 *
 * A client can use Belay's terminals as tools (MCP), or keep its own shell and ask Belay before each command (hook).
 */
export interface SetupEntry {
  /** Relative to the home folder for a person's configuration, to the project for a team's. */
  file: string;
  format: "json" | "toml" | "text";
  /** The path of keys to its place; empty for a text, which is the whole file. */
  path: readonly string[];
  /** `set`: the value of that key. `add`: one more element of the list there. */
  way: "set" | "add";
  value: unknown;
  /** A text that must be executable. */
  isExecutable?: true;
}

export type SetupScope = "person" | "project";

export interface ClientSetup {
  /** Null if the client reads no such file. */
  mcp: Readonly<Record<SetupScope, ((server: McpServer) => SetupEntry) | null>>;
  hook: Readonly<Record<SetupScope, ((command: string) => readonly SetupEntry[]) | null>>;
  /** What happens to a command whose hook is late or broken. */
  whenHookFails: "runs" | "does not run";
  /** What else a person has to know or do. */
  notes: readonly string[];
}

/** How the client reaches the tools: a program that it starts, or an address with a token from a variable. */
export type McpServer =
  | { type: "program"; command: string; args: readonly string[] }
  | { type: "address"; url: string; tokenVariable: string };

/** How long a client waits for its hook, and so how long people have to answer. */
export const HOOK_TIMEOUT_S = 600;

const json = (file: string, path: readonly string[], value: unknown): SetupEntry => ({
  file,
  format: "json",
  path,
  way: "set",
  value,
});
const element = (file: string, path: readonly string[], value: unknown): SetupEntry => ({
  file,
  format: "json",
  path,
  way: "add",
  value,
});

/** The usual format of a server entry: `url` and `headers`, or `command` and `args`. */
function plainServer(server: McpServer, variable: (name: string) => string, more: object = {}): object {
  return server.type === "program"
    ? { ...more, command: server.command, args: server.args }
    : { ...more, url: server.url, headers: { Authorization: `Bearer ${variable(server.tokenVariable)}` } };
}

const dollar = (name: string) => `\${${name}}`;

function claudeHooks(file: string, command: string): readonly SetupEntry[] {
  const run = { type: "command", command, timeout: HOOK_TIMEOUT_S, onFailure: "block" };
  const { onFailure: _, ...report } = { ...run, timeout: 10 };
  return [
    element(file, ["hooks", "PreToolUse"], { matcher: "Bash", hooks: [run] }),
    element(file, ["hooks", "PostToolUse"], { matcher: "Bash", hooks: [report] }),
  ];
}

function codexHooks(file: string, command: string): readonly SetupEntry[] {
  const run = { type: "command", command, timeout: HOOK_TIMEOUT_S };
  return [
    element(file, ["hooks", "PreToolUse"], { matcher: "Bash", hooks: [run] }),
    element(file, ["hooks", "PostToolUse"], { matcher: "Bash", hooks: [{ ...run, timeout: 10 }] }),
  ];
}

function geminiHooks(file: string, command: string): readonly SetupEntry[] {
  const run = { name: "belay", type: "command", command, timeout: HOOK_TIMEOUT_S * 1000 };
  return [
    element(file, ["hooks", "BeforeTool"], { matcher: "run_shell_command", hooks: [run] }),
    element(file, ["hooks", "AfterTool"], { matcher: "run_shell_command", hooks: [{ ...run, timeout: 10_000 }] }),
  ];
}

function copilotHooks(file: string, command: string): readonly SetupEntry[] {
  const run = { type: "command", bash: command, timeoutSec: HOOK_TIMEOUT_S };
  return [json(file, [], { version: 1, hooks: { preToolUse: [run], postToolUse: [{ ...run, timeoutSec: 10 }] } })];
}

function cursorHooks(file: string, command: string): readonly SetupEntry[] {
  return [
    json(file, ["version"], 1),
    element(file, ["hooks", "beforeShellExecution"], { command, timeout: HOOK_TIMEOUT_S, failClosed: true }),
    element(file, ["hooks", "afterShellExecution"], { command, timeout: 10 }),
  ];
}

function windsurfHooks(file: string, command: string): readonly SetupEntry[] {
  return [
    element(file, ["hooks", "pre_run_command"], { command, show_output: true }),
    element(file, ["hooks", "post_run_command"], { command, show_output: false }),
  ];
}

function clineHooks(folder: string, command: string): readonly SetupEntry[] {
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

const CLAUDE_SERVER = (server: McpServer) =>
  server.type === "program" ? plainServer(server, dollar) : plainServer(server, dollar, { type: "http" });

export const CLIENT_SETUPS: Readonly<Record<HookClient, ClientSetup>> = {
  claude: {
    mcp: {
      person: (server) => json(".claude.json", ["mcpServers", "belay"], CLAUDE_SERVER(server)),
      project: (server) => json(".mcp.json", ["mcpServers", "belay"], CLAUDE_SERVER(server)),
    },
    hook: {
      person: (command) => claudeHooks(".claude/settings.json", command),
      project: (command) => claudeHooks(".claude/settings.json", command),
    },
    whenHookFails: "does not run",
    notes: ["An open session picks up the hook after you confirm it with /hooks, or after a restart."],
  },
  codex: {
    mcp: {
      person: (server) => codexServer(".codex/config.toml", server),
      project: (server) => codexServer(".codex/config.toml", server),
    },
    hook: {
      person: (command) => codexHooks(".codex/hooks.json", command),
      project: (command) => codexHooks(".codex/hooks.json", command),
    },
    whenHookFails: "runs",
    notes: [
      "Codex silently skips hooks that you have not trusted yet: start codex, type /hooks and trust it.",
      "Input typed into a shell that is already open calls no hook.",
    ],
  },
  gemini: {
    mcp: {
      person: (server) => geminiServer(server),
      project: (server) => geminiServer(server),
    },
    hook: {
      person: (command) => geminiHooks(".gemini/settings.json", command),
      project: (command) => geminiHooks(".gemini/settings.json", command),
    },
    whenHookFails: "runs",
    notes: [],
  },
  copilot: {
    mcp: {
      person: (server) => {
        const type = server.type === "program" ? "local" : "http";
        return json(".copilot/mcp-config.json", ["mcpServers", "belay"], {
          ...plainServer(server, dollar, { type }),
          tools: ["*"],
        });
      },
      project: null,
    },
    hook: {
      person: (command) => copilotHooks(".copilot/hooks/belay.json", command),
      project: (command) => copilotHooks(".github/hooks/belay.json", command),
    },
    whenHookFails: "runs",
    notes: ["A hook that fails denies the command; one that is late lets it run."],
  },
  cursor: {
    mcp: {
      person: (server) => json(".cursor/mcp.json", ["mcpServers", "belay"], plainServer(server, cursorVariable)),
      project: (server) => json(".cursor/mcp.json", ["mcpServers", "belay"], plainServer(server, cursorVariable)),
    },
    hook: {
      person: (command) => cursorHooks(".cursor/hooks.json", command),
      project: (command) => cursorHooks(".cursor/hooks.json", command),
    },
    whenHookFails: "does not run",
    notes: [],
  },
  vscode: {
    mcp: {
      person: null,
      project: (server) => {
        const type = server.type === "program" ? "stdio" : "http";
        return json(".vscode/mcp.json", ["servers", "belay"], plainServer(server, cursorVariable, { type }));
      },
    },
    hook: {
      person: null,
      project: (command) => claudeHooks(".claude/settings.local.json", command),
    },
    whenHookFails: "runs",
    notes: ["VS Code's agents for Claude, Codex and Copilot call the hooks of those clients: connect those."],
  },
  opencode: {
    mcp: {
      person: (server) => opencodeServer(".config/opencode/opencode.json", server),
      project: (server) => opencodeServer("opencode.json", server),
    },
    hook: {
      person: (command) => [opencodePlugin(".config/opencode/plugins/belay.js", command)],
      project: (command) => [opencodePlugin(".opencode/plugins/belay.js", command)],
    },
    whenHookFails: "does not run",
    notes: [],
  },
  windsurf: {
    mcp: {
      person: (server) =>
        json(
          ".codeium/windsurf/mcp_config.json",
          ["mcpServers", "belay"],
          server.type === "program"
            ? plainServer(server, dollar)
            : { serverUrl: server.url, headers: { Authorization: `Bearer ${cursorVariable(server.tokenVariable)}` } },
        ),
      project: null,
    },
    hook: {
      person: (command) => windsurfHooks(".codeium/windsurf/hooks.json", command),
      project: (command) => windsurfHooks(".windsurf/hooks.json", command),
    },
    whenHookFails: "runs",
    notes: [],
  },
  cline: {
    mcp: { person: null, project: null },
    hook: {
      person: (command) => clineHooks("Documents/Cline/Hooks", command),
      project: (command) => clineHooks(".clinerules/hooks", command),
    },
    whenHookFails: "runs",
    notes: ["Turn hooks on in Cline's settings."],
  },
};

function cursorVariable(name: string): string {
  return `\${env:${name}}`;
}

function codexServer(file: string, server: McpServer): SetupEntry {
  const value =
    server.type === "program"
      ? { command: server.command, args: server.args }
      : { url: server.url, bearer_token_env_var: server.tokenVariable };
  // Belay asks already; without this, Codex also asks its own user before each call.
  const quiet = { default_tools_approval_mode: "approve", tool_timeout_sec: 60 };
  return { file, format: "toml", path: ["mcp_servers", "belay"], way: "set", value: { ...value, ...quiet } };
}

function geminiServer(server: McpServer): SetupEntry {
  const value =
    server.type === "program"
      ? { command: server.command, args: server.args, trust: true }
      : { httpUrl: server.url, headers: { Authorization: `Bearer $${server.tokenVariable}` }, trust: true };
  return json(".gemini/settings.json", ["mcpServers", "belay"], value);
}

function opencodeServer(file: string, server: McpServer): SetupEntry {
  const value =
    server.type === "program"
      ? { type: "local", command: [server.command, ...server.args], enabled: true }
      : {
          type: "remote",
          url: server.url,
          headers: { Authorization: `Bearer {env:${server.tokenVariable}}` },
          oauth: false,
        };
  return json(file, ["mcp", "belay"], value);
}

/** opencode loads plugins into its own process, so this one starts the hook as other clients do. */
function opencodePlugin(file: string, command: string): SetupEntry {
  const value = `// Asks Belay before each command, and denies it if there is no answer.
import { spawnSync } from "node:child_process";

const ask = (call) => {
  const { stdout, error } = spawnSync("sh", ["-c", ${JSON.stringify(command)}], { input: JSON.stringify(call), encoding: "utf8" });
  if (error) throw new Error(\`Belay could not be asked, so the command does not run: \${error.message}\`);
  return JSON.parse(stdout || "{}");
};

export const BelayHook = async ({ directory }) => ({
  "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
    if (tool !== "bash") return;
    const cwd = args.workdir ?? directory;
    const answer = ask({ event: "tool.execute.before", sessionID, callID, cwd, command: args.command });
    if (answer.decision !== "allow") throw new Error(answer.reason ?? "Belay gave no answer, so the command does not run.");
    if (answer.editedTo) args.command = answer.editedTo;
  },
  "tool.execute.after": async ({ tool, sessionID, callID, args }, { metadata }) => {
    if (tool !== "bash") return;
    ask({ event: "tool.execute.after", sessionID, callID, command: args?.command ?? "", exitCode: metadata?.exit ?? null });
  },
});
`;
  return { file, format: "text", path: [], way: "set", value };
}
