import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";

const Listed = z.object({
  id: z.string(),
  command: z.string(),
  position: z.int(),
  running: z.boolean(),
  uptimeSeconds: z.int(),
});
export const ListOutput = z.object({ sessions: z.array(Listed) });

/** Your open sessions as a table. */
export function toListReply(sessions: z.infer<typeof Listed>[]): CallToolResult {
  const rows = sessions.map(({ id, command, position, running, uptimeSeconds }) => [
    id,
    command.replaceAll(/\s+/g, " ").slice(0, 30),
    String(position),
    running ? "Yes" : "No",
    `${uptimeSeconds}s`,
  ]);
  const table = [["ID", "Command", "Position", "Running", "Uptime"], ...rows].map(toRow);
  const rule = WIDTHS.map((width, at) => "-".repeat(width + (at === 0 ? 1 : 2))).join("|");
  const text = ["Active Terminal Sessions:", table[0], rule, ...table.slice(1)].join("\n");
  return { content: [{ type: "text", text }], structuredContent: { sessions } };
}

const WIDTHS = [12, 30, 8, 7, 6];

function toRow(cells: string[]): string {
  return cells
    .map((cell, at) => cell.padEnd(WIDTHS[at] ?? 0))
    .join(" | ")
    .trimEnd();
}
