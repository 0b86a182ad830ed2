import { readFileSync } from "node:fs";
import {
  CLIENT_SETUPS,
  connectArguments,
  HOOK_CLIENT_NAMES,
  type HookClient,
  type McpServer,
  ownShellSnippet,
  SNIPPET_CLIENTS,
  snippetsFor,
} from "@belay/protocol";
import { HOOK_FORMS } from "../doors/hooks/clients/index.ts";

const BEGIN = "<!-- written by npm run docs -->";
const END = "<!-- end of what npm run docs writes -->";

const ADDRESS: McpServer = {
  type: "address",
  url: "http://127.0.0.1:7400/mcp",
  token: { type: "variable", name: "BELAY_TOKEN" },
};

/** Fills the generated part of a page that is otherwise written by hand. */
export function withClients(page: string): string {
  return withPart(page, hookClients().filter(isOffered).map(mcpSection).join("\n\n"));
}

/** Fills the table of what each client does with a hook. */
export function withHookTable(page: string): string {
  const rows = hookClients().map((client) => {
    const { canAsk, canEdit } = HOOK_FORMS[client];
    const [late, broken] = [CLIENT_SETUPS[client].lateHook, CLIENT_SETUPS[client].brokenHook].map((what) =>
      what === "runs" ? "**runs**" : what,
    );
    return `| ${HOOK_CLIENT_NAMES[client]} | \`${connectArguments(client)}\` | ${canAsk ? "yes" : "no"} | ${canEdit ? "run" : "as a message"} | ${late} | ${broken} |`;
  });
  const head =
    "| client | `belay connect` | its own prompt as a fallback | edited commands | late hook | broken hook |";
  const notes = hookClients().flatMap((client) =>
    CLIENT_SETUPS[client].notes.map((note) => `- ${HOOK_CLIENT_NAMES[client]}: ${note}`),
  );
  return withPart(page, [head, "| --- | --- | --- | --- | --- | --- |", ...rows, "", ...notes].join("\n"));
}

export function readPage(path: URL): string {
  return readFileSync(path, "utf8");
}

function withPart(page: string, part: string): string {
  const [before, rest] = page.split(`${BEGIN}\n`);
  const after = rest?.split(`${END}\n`)[1];
  if (before === undefined || after === undefined) throw new Error(`The page has no part between ${BEGIN} and ${END}.`);
  return `${before}${BEGIN}\n\n${part}\n\n${END}\n${after}`;
}

function hookClients(): HookClient[] {
  return Object.keys(CLIENT_SETUPS) as HookClient[];
}

function isOffered(client: HookClient): boolean {
  return SNIPPET_CLIENTS.some(({ id }) => id === client);
}

function mcpSection(client: HookClient): string {
  const agent: McpServer = {
    type: "program",
    command: "node",
    args: ["/path/to/belay/apps/agent-gateway/bin/belay.mjs", "mcp", "--agent", client],
  };
  const [shortest] = snippetsFor(client, agent);
  const ownShell = ownShellSnippet(client);
  return [
    `## ${HOOK_CLIENT_NAMES[client]}`,
    ...snippetsFor(client, ADDRESS).map(fenced),
    ...CLIENT_SETUPS[client].mcpNotes,
    ...(shortest ? [fenced({ ...shortest, where: "Or without a token, on the machine where Belay runs:" })] : []),
    ...(ownShell
      ? [
          `${HOOK_CLIENT_NAMES[client]} has its own shell tool. To send all commands through Belay, disable it. ${fenced(ownShell)}`,
        ]
      : []),
  ].join("\n\n");
}

function fenced({ where, format, text }: { where: string; format: string; text: string }): string {
  return `${where}\n\n\`\`\`${format}\n${text}\n\`\`\``;
}
