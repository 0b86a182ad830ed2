import { TerminalId } from "@belay/protocol";
import { type McpServer, ResourceNotFoundError, ResourceTemplate } from "@modelcontextprotocol/server";
import type { ToolHost } from "../tool-call.ts";

const PREFIX = "belay://terminals/";
/** A client shows it, or gives it to a model as context: both need its end. */
const LIMITS = { maxChars: 64_000, previewChars: 64_000, maxLineChars: 2_000 };

export function outputUri(id: TerminalId): string {
  return `${PREFIX}${id}/output`;
}

/** The output of each terminal that the agent may read, as a resource. */
export function registerOutputResources(server: McpServer, { agent, gateway }: ToolHost): void {
  const template = new ResourceTemplate(`${PREFIX}{id}/output`, {
    list: async () => ({
      resources: (await gateway.sharedTerminals.list(agent)).map(({ id, name, title, command }) => ({
        uri: outputUri(id),
        name: name ?? (title || command?.join(" ") || id),
        mimeType: "text/plain",
      })),
    }),
  });
  const config = {
    title: "Output of a terminal",
    description: "The output of a terminal, as a person would see it. Subscribe to be notified when there is more.",
    mimeType: "text/plain",
  };
  server.registerResource("terminal-output", template, config, async (uri, { id }) => {
    const parsed = TerminalId.safeParse(id);
    if (!parsed.success) throw new ResourceNotFoundError(uri.href);
    const terminal = await gateway.sharedTerminals.readable(agent, parsed.data).catch(() => {
      throw new ResourceNotFoundError(uri.href);
    });
    const range = { terminalId: terminal.id, startPosition: 0, endPosition: terminal.position };
    const { text } = await gateway.outputTexts.of(range, LIMITS);
    return { contents: [{ uri: uri.href, mimeType: "text/plain", text }] };
  });
}
