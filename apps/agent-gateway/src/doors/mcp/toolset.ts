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

/** What `?toolset=` says; without it, `unified`. */
export function parseToolset(value: unknown): { ok: true; value: Toolset } | { ok: false; message: string } {
  const parsed = Toolset.safeParse(value ?? "unified");
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, message: `There is no such toolset. Use ?toolset= with one of: ${Toolset.options.join(", ")}.` };
}
