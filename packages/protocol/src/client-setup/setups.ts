import type { HookClient } from "../hook-client.ts";
import { claudeMcpAdd, codexMcpAdd, geminiMcpAdd } from "./commands.ts";
import { claudeHooks, clineHooks, codexHooks, copilotHooks, cursorHooks, geminiHooks, windsurfHooks } from "./hooks.ts";
import { opencodePlugin } from "./opencode-plugin.ts";
import {
  claudeServer,
  codexServer,
  copilotServer,
  cursorServer,
  geminiServer,
  opencodeServer,
  vscodeServer,
  windsurfServer,
} from "./servers.ts";
import { type ClientSetup, setJson } from "./types.ts";

export const CLIENT_SETUPS: Readonly<Record<HookClient, ClientSetup>> = {
  claude: {
    mcp: {
      person: (server) => claudeServer(".claude.json", server),
      project: (server) => claudeServer(".mcp.json", server),
    },
    mcpCommand: claudeMcpAdd,
    withoutOwnShell: setJson(".claude/settings.json", ["permissions"], {
      deny: ["Bash"],
      allow: ["mcp__belay__terminal"],
    }),
    mcpNotes: [],
    hook: {
      person: (command) => claudeHooks(".claude/settings.json", command),
      project: (command) => claudeHooks(".claude/settings.json", command),
    },
    lateHook: "does not run",
    brokenHook: "does not run",
    notes: ["An open session picks up the hook after you confirm it with /hooks, or after a restart."],
  },
  codex: {
    mcp: { person: codexServer, project: codexServer },
    mcpCommand: codexMcpAdd,
    mcpNotes: [
      "Codex asks its own user before each call of a tool that may change something. Belay asks already: `default_tools_approval_mode` keeps it to one question, and `codex mcp add` does not write it.",
    ],
    hook: {
      person: (command) => codexHooks(".codex/hooks.json", command),
      project: (command) => codexHooks(".codex/hooks.json", command),
    },
    lateHook: "runs",
    brokenHook: "runs",
    notes: [
      "Codex silently skips hooks that you have not trusted yet: start codex, type /hooks and trust it.",
      "Input typed into a shell that is already open calls no hook.",
    ],
  },
  gemini: {
    mcp: { person: geminiServer, project: geminiServer },
    mcpCommand: geminiMcpAdd,
    mcpNotes: [
      '`"trust": true` leaves approvals to Belay.',
      'Gemini CLI starts no servers in a folder that it does not trust (`gemini mcp list` then says "Disabled"): answer its question about the folder, or set `GEMINI_CLI_TRUST_WORKSPACE=true`.',
      "Qwen Code takes the same commands (`qwen mcp add …`) and reads the same from `~/.qwen/settings.json`.",
    ],
    hook: {
      person: (command) => geminiHooks(".gemini/settings.json", command),
      project: (command) => geminiHooks(".gemini/settings.json", command),
    },
    lateHook: "runs",
    brokenHook: "runs",
    notes: [],
  },
  copilot: {
    mcp: { person: copilotServer, project: null },
    mcpNotes: [],
    hook: {
      person: (command) => copilotHooks(".copilot/hooks/belay.json", command),
      project: (command) => copilotHooks(".github/hooks/belay.json", command),
    },
    lateHook: "runs",
    brokenHook: "does not run",
    notes: [],
  },
  cursor: {
    mcp: { person: cursorServer, project: cursorServer },
    mcpNotes: ["Cursor substitutes the variable from the environment it was started in."],
    hook: {
      person: (command) => cursorHooks(".cursor/hooks.json", command),
      project: (command) => cursorHooks(".cursor/hooks.json", command),
    },
    lateHook: "does not run",
    brokenHook: "does not run",
    notes: [],
  },
  vscode: {
    mcp: { person: null, project: vscodeServer },
    mcpNotes: ["VS Code asks for the token once and stores it."],
    hook: {
      person: null,
      project: (command) => claudeHooks(".claude/settings.local.json", command),
    },
    lateHook: "runs",
    brokenHook: "runs",
    notes: ["VS Code's agents for Claude, Codex and Copilot call the hooks of those clients: connect those."],
  },
  opencode: {
    mcp: {
      person: (server) => opencodeServer(".config/opencode/opencode.json", server),
      project: (server) => opencodeServer("opencode.json", server),
    },
    withoutOwnShell: setJson("opencode.json", ["tools"], { bash: false }),
    mcpNotes: [],
    hook: {
      person: (command) => [opencodePlugin(".config/opencode/plugins/belay.js", command)],
      project: (command) => [opencodePlugin(".opencode/plugins/belay.js", command)],
    },
    lateHook: "does not run",
    brokenHook: "does not run",
    notes: [],
  },
  windsurf: {
    mcp: { person: windsurfServer, project: null },
    mcpNotes: [],
    hook: {
      person: (command) => windsurfHooks(".codeium/windsurf/hooks.json", command),
      project: (command) => windsurfHooks(".windsurf/hooks.json", command),
    },
    lateHook: "runs",
    brokenHook: "runs",
    notes: [],
  },
  cline: {
    mcp: { person: null, project: null },
    mcpNotes: [],
    hook: {
      person: (command) => clineHooks("Documents/Cline/Hooks", command),
      project: (command) => clineHooks(".clinerules/hooks", command),
    },
    lateHook: "runs",
    brokenHook: "runs",
    notes: ["Turn hooks on in Cline's settings."],
  },
};
