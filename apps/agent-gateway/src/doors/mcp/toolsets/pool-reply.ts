import type { TerminalInfo } from "@belay/protocol";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { SpawnAct } from "../../../commands/act.ts";
import type { OutcomeWords } from "../../../commands/describe-outcome.ts";
import type { CommandOutcome } from "../../../commands/outcome.ts";
import { refuse } from "../tool-call.ts";

export const PoolTerminal = z.object({
  id: z.string(),
  cwd: z.string(),
  owner: z.enum(["user", "agent"]),
  visible: z.boolean(),
  createdAt: z.int(),
  command: z.array(z.string()).optional(),
});

export const Pending = z.object({
  state: z.literal("waiting_approval").optional(),
  approvalId: z.string().optional(),
  hint: z.string().optional(),
});

/** The terminal that was started, or why there is none yet. */
export function toSpawnReply(
  outcome: CommandOutcome,
  words: OutcomeWords,
  { terminalId, request }: SpawnAct,
): CallToolResult {
  if (words.isNotRun) return refuse(blockedMessage(words));
  if (outcome.status === "spawned") return json(toPoolTerminal(outcome.terminal));
  if (outcome.status !== "waiting") {
    return refuse(`It is still being started. Poll with read_terminal and the id ${terminalId}.`);
  }
  const { owner, visible, cwd, program } = request;
  const command = program.type === "argv" ? program.argv : [];
  const { createdAt } = outcome.approval;
  return json({ id: terminalId, cwd, owner, visible, createdAt, command, ...toPending(words) });
}

export function blockedMessage({ message, isBlocked, rule, part, approvalId }: OutcomeWords): string {
  // A person's refusal is not one of the list's rules, and may have a reason.
  if (!isBlocked || approvalId !== null) return message ?? "";
  const where = part === null ? "" : ` Because of: ${part}`;
  return `Command blocked for security reasons (rule ${rule ?? "unknown"}). ${message}${where}`;
}

export function toPending({ message, approvalId, notes }: OutcomeWords) {
  const hint = [message, "Poll with read_terminal and this id.", ...notes].join(" ");
  return { state: "waiting_approval" as const, ...(approvalId === null ? {} : { approvalId }), hint };
}

export function toPoolTerminal({
  id,
  cwd,
  owner,
  visible,
  createdAt,
  command,
}: TerminalInfo): z.infer<typeof PoolTerminal> {
  return { id, cwd, owner, visible, createdAt, ...(command === null ? {} : { command }) };
}

export function json(value: Record<string, unknown>): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
}
