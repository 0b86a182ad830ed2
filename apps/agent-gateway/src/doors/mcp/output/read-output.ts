import type { SummaryLimits } from "@belay/core";
import { type CommandId, TerminalId } from "@belay/protocol";
import { z } from "zod";
import { describeOutcome } from "../../../commands/describe-outcome.ts";
import { GatewayError } from "../../../errors.ts";
import type { OutputRange } from "../../../terminals/output/output-text.ts";
import { AT_ONCE, pollCommand } from "../poll-command.ts";
import type { ToolCall } from "../tool-call.ts";

/** The most raw output of one read by position. */
const READ_BYTES = 16 * 1024;
const MAX_MATCHES = 50;

/** The requested part of an output. */
export interface Selection {
  from_position?: number | undefined;
  from_line?: number | undefined;
  to_line?: number | undefined;
  search?: string | undefined;
}

export const ReadOutput = z.object({
  terminal_id: TerminalId.optional(),
  output: z.string(),
  from_position: z.int().optional().describe("Byte position where this part begins."),
  position: z.int().optional().describe("Byte position where this part ends: from_position of the next read."),
  end_position: z.int().optional().describe("Byte position of the end so far."),
  from_line: z.int().optional(),
  to_line: z.int().optional(),
  total_lines: z.int().optional(),
  next_line: z.int().optional().describe("Where to continue; absent at the end of the requested part."),
  total_matches: z.int().optional(),
  matches: z.array(z.object({ line: z.int(), text: z.string() })).optional(),
  output_truncated: z.boolean().optional(),
  lost_bytes: z.int().optional().describe("Bytes of it that are lost."),
});
export type ReadOutput = z.infer<typeof ReadOutput>;

/** Reads a part of an output as requested: lines, a search, from a position on, or head and tail. */
export async function readOutput(
  range: OutputRange,
  { from_position, from_line, to_line, search }: Selection,
  { call, limits }: { call: ToolCall; limits: SummaryLimits },
): Promise<ReadOutput> {
  const { outputTexts } = call.gateway;
  const startPosition = Math.min(Math.max(range.startPosition, from_position ?? 0), range.endPosition);
  const asked = { ...range, startPosition };
  const where = { terminal_id: range.terminalId, from_position: startPosition, end_position: range.endPosition };
  if (search !== undefined) {
    const wanted = { query: search, maxMatches: MAX_MATCHES, maxLineChars: limits.maxLineChars };
    const found = await outputTexts.search(asked, wanted);
    return {
      ...where,
      output: found.matches.map(({ line, text: shown }) => `${line}: ${shown}`).join("\n"),
      matches: found.matches,
      total_matches: found.totalMatches,
      total_lines: found.totalLines,
      ...lost(found.lostBytes),
    };
  }
  if (from_line !== undefined || to_line !== undefined) {
    const wanted = { fromLine: from_line ?? 1, toLine: to_line ?? Number.MAX_SAFE_INTEGER };
    if (wanted.toLine < wanted.fromLine) {
      throw new GatewayError("bad-request", "`to_line` comes before `from_line`. Lines count from 1.");
    }
    const lines = await outputTexts.lines(asked, { ...wanted, maxChars: limits.maxChars });
    if (lines.fromLine > Math.max(1, lines.totalLines)) {
      throw new GatewayError("bad-request", `There are only ${lines.totalLines} lines so far.`);
    }
    return {
      ...where,
      output: lines.text,
      from_line: lines.fromLine,
      to_line: lines.toLine,
      total_lines: lines.totalLines,
      ...(lines.nextLine === null ? {} : { next_line: lines.nextLine }),
      ...lost(lines.lostBytes),
    };
  }
  if (from_position !== undefined) {
    const position = Math.min(startPosition + READ_BYTES, range.endPosition);
    const { text, lostBytes } = await outputTexts.whole({ ...asked, endPosition: position });
    return { ...where, output: text, position, ...lost(lostBytes) };
  }
  const { text, isTruncated, totalLines, lostBytes } = await outputTexts.of(asked, limits);
  return {
    ...where,
    output: text,
    position: range.endPosition,
    total_lines: totalLines,
    ...(isTruncated ? { output_truncated: true } : {}),
    ...lost(lostBytes),
  };
}

/** The output range of a command of this agent. A one-shot program has its output in its result instead. */
export async function rangeOfCommand(commandId: CommandId, call: ToolCall): Promise<OutputRange> {
  const outcome = await pollCommand(call, commandId, AT_ONCE, { signal: call.signal, maxMs: 0 });
  if (outcome.status === "ran") return outcome.report;
  const { message } = describeOutcome(outcome, { text: "", url: call.gateway.url() });
  const why = message ?? "It is kept in its result.";
  throw new GatewayError("bad-request", `There is no output to read of "${commandId}". ${why}`);
}

export async function rangeOfTerminal(id: TerminalId, { agent, gateway }: ToolCall): Promise<OutputRange> {
  const { position } = await gateway.sharedTerminals.readable(agent, id);
  return { terminalId: id, startPosition: 0, endPosition: position };
}

function lost(lostBytes: number): { lost_bytes?: number } {
  return lostBytes > 0 ? { lost_bytes: lostBytes } : {};
}
