import { expect, test } from "vitest";
import { HookClient } from "../hook-client.ts";
import { CLIENT_SETUPS } from "./setups.ts";
import { connectArguments, ownShellSnippet, SNIPPET_CLIENTS, snippetsFor } from "./snippet.ts";

const URL = "https://belay.test/mcp";
const server = { type: "address", url: URL, token: { type: "value", value: "blt_secret" } } as const;
const program = { type: "program", command: "node", args: ["/opt/belay.mjs", "mcp"] } as const;

test.each(SNIPPET_CLIENTS)(
  "W7 the snippets for $name have the address, and the token where the client takes it",
  ({ id }) => {
    const snippets = snippetsFor(id, server);

    expect(snippets.length).toBeGreaterThan(0);
    for (const { text, format } of snippets) {
      expect(text).toContain(URL);
      if (format === "json") expect(() => JSON.parse(text)).not.toThrow();
    }
    // VS Code asks its user for the token.
    expect(snippets[0]?.text.includes("blt_secret")).toBe(id !== "vscode");
  },
);

test("W7 G9 every client that reads a file of servers has a snippet, also without a token", () => {
  const readers = HookClient.options.filter((id) => CLIENT_SETUPS[id].mcp.person ?? CLIENT_SETUPS[id].mcp.project);

  expect(SNIPPET_CLIENTS.map(({ id }) => id)).toEqual([...readers, "mcp"]);
  for (const id of readers) {
    for (const { text } of snippetsFor(id, program)) expect(text).toContain("/opt/belay.mjs");
  }
});

test("W7 G9 what belay connect needs for a client is said with it", () => {
  const needed = HookClient.options.map(connectArguments).filter((words) => words.includes(" "));

  expect(needed).toEqual(["vscode --project", "cline --hook"]);
});

test("W7 VS Code's file asks for the token, Codex's is TOML, and Claude Code's shell can be taken away", () => {
  const text = (id: "vscode" | "codex") => snippetsFor(id, server).at(-1)?.text ?? "";

  expect(JSON.parse(text("vscode"))).toEqual({
    inputs: [{ type: "promptString", id: "belay-token", description: "Belay token", password: true }],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code substitutes its own input.
    servers: { belay: { type: "http", url: URL, headers: { Authorization: "Bearer ${input:belay-token}" } } },
  });
  expect(text("codex").split("\n")).toEqual([
    "[mcp_servers.belay]",
    `url = "${URL}"`,
    'bearer_token_env_var = "BELAY_TOKEN"',
    'default_tools_approval_mode = "approve"',
    "tool_timeout_sec = 60",
  ]);
  expect(JSON.parse(ownShellSnippet("claude")?.text ?? "")).toEqual({
    permissions: { deny: ["Bash"], allow: ["mcp__belay__terminal"] },
  });
});
