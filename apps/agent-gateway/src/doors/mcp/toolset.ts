import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { ToolHost } from "./tool-call.ts";
import { registerDeep } from "./toolsets/deep.ts";
import { registerPool } from "./toolsets/pool.ts";
import { registerSessions } from "./toolsets/sessions.ts";
import { registerUnified } from "./toolsets/unified.ts";

export const Toolset = z.enum(["unified", "sessions", "pool", "deep", "all"]);
export type Toolset = z.infer<typeof Toolset>;

type Register = (server: McpServer, host: ToolHost) => void;

/** Which tools an agent is offered, in the order in which it sees them. */
export const toolsets: Record<Toolset, readonly Register[]> = {
  unified: [registerUnified],
  sessions: [registerSessions],
  pool: [registerPool],
  deep: [registerDeep],
  all: [registerUnified, registerSessions, registerPool, registerDeep],
};

/** The query of a request's address. */
export interface WantedTools {
  toolset: Toolset;
  /** Replies as data beside the text. */
  wantsStructured: boolean;
}

/** Reads `?toolset=` (without it, `unified`) and `?structured=1`. */
export function parseWantedTools(
  query: Readonly<Record<string, unknown>>,
): { ok: true; value: WantedTools } | { ok: false; message: string } {
  const toolset = Toolset.safeParse(query.toolset ?? "unified");
  if (!toolset.success) {
    const message = `There is no such toolset. Use ?toolset= with one of: ${Toolset.options.join(", ")}.`;
    return { ok: false, message };
  }
  const wantsStructured = ["1", "true"].includes(String(query.structured ?? ""));
  return { ok: true, value: { toolset: toolset.data, wantsStructured } };
}
