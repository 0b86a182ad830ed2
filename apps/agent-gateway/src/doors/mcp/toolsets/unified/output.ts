import { CommandId, TerminalId, type TerminalInfo } from "@belay/protocol";
import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { GatewayError } from "../../../../errors.ts";
import { handOverTerminal } from "../../../../terminals/hand-over.ts";
import { ReadOutput, rangeOfCommand, rangeOfTerminal, readOutput } from "../../output/read-output.ts";
import { addTool, type ToolHost } from "../../tool-call.ts";
import { summaryLimits } from "./wait.ts";

const ReadInput = z.strictObject({
  handle_id: z.string().optional(),
  terminal_id: z.string().optional(),
  from_position: z.number().optional().describe("First byte."),
  from_line: z.number().optional(),
  to_line: z.number().optional(),
  search: z.string().optional().describe("Lines with this text; case is ignored."),
});

/** Validated here, because every part of the schema costs tokens with every request. */
const Read = z.object({
  handle_id: CommandId.optional(),
  terminal_id: TerminalId.optional(),
  from_position: z.int().min(0).optional(),
  from_line: z.int().min(1).optional(),
  to_line: z.int().min(1).optional(),
  search: z.string().min(1).max(200).optional(),
});

const OverviewOutput = z.object({
  terminals: z.array(
    z.object({
      terminal_id: z.string(),
      owner: z.enum(["user", "agent"]),
      name: z.string().nullable(),
      cwd: z.string(),
      doing: z.string().describe("The running command, or idle."),
      handle_id: z.string().nullable().describe("The handle of the running command, if it is yours."),
      position: z.int(),
      created_at: z.int(),
    }),
  ),
});

/** The companions of `terminal`: reading any part of an output, listing terminals, and handing one over. */
export function registerOutputTools(server: McpServer, host: ToolHost): void {
  addTool(
    server,
    host,
    {
      name: "terminal_read",
      title: "Read output",
      description:
        "Any part of what one command or terminal printed: lines, a search, from a position on; else head and tail.",
      input: ReadInput,
      output: ReadOutput,
      annotations: { readOnlyHint: true },
    },
    async (input, call) => {
      const { handle_id, terminal_id, ...selection } = Read.parse(input);
      if ((handle_id === undefined) === (terminal_id === undefined)) {
        throw new GatewayError("bad-request", "Name one: `handle_id` for a command, or `terminal_id` for a terminal.");
      }
      const range = handle_id
        ? await rangeOfCommand(handle_id, call)
        : await rangeOfTerminal(terminal_id as TerminalId, call);
      const read = await readOutput(range, selection, { call, limits: summaryLimits(call) });
      return { content: [{ type: "text", text: toText(read) }], structuredContent: read };
    },
  );

  addTool(
    server,
    host,
    {
      name: "terminal_overview",
      title: "Terminals",
      description: "Your terminals, those shared with you, and what runs in each.",
      input: z.strictObject({}),
      output: OverviewOutput,
      annotations: { readOnlyHint: true },
    },
    async (_, { agent, gateway }) => {
      const terminals = (await gateway.sharedTerminals.list(agent)).map(toOverview);
      const text = terminals.map(
        ({ terminal_id, owner, doing, handle_id, cwd }) =>
          `${terminal_id} (${owner}) in ${cwd}: ${doing}${handle_id === null ? "" : ` [${handle_id}]`}`,
      );
      return {
        content: [{ type: "text", text: text.length === 0 ? "No terminal is open." : text.join("\n") }],
        structuredContent: { terminals },
      };
    },
  );

  addTool(
    server,
    host,
    {
      name: "terminal_promote",
      title: "Hand over",
      description: "Hands a terminal to a person for good; you can still read it.",
      input: z.strictObject({ terminal_id: z.string() }),
      output: z.object({ terminal_id: z.string(), owner: z.literal("user") }),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    async (input, { agent, gateway }) => {
      const terminal_id = TerminalId.parse(input.terminal_id);
      const { owner } = await handOverTerminal(gateway, agent, terminal_id);
      return {
        content: [{ type: "text", text: `Terminal ${terminal_id} now belongs to a person. You can still read it.` }],
        structuredContent: { terminal_id, owner },
      };
    },
  );
}

function toOverview({ id, owner, name, cwd, command, activity, position, createdAt }: TerminalInfo) {
  const runs = activity.kind === "busy";
  const wants = runs && activity.wants !== "nothing" ? ` (waits for ${activity.wants})` : "";
  const line = runs && activity.line !== "" ? activity.line : (command?.join(" ") ?? "a program");
  return {
    terminal_id: id,
    owner,
    name,
    cwd,
    doing: runs || command ? `${line}${wants}` : "idle",
    handle_id: runs ? activity.commandId : null,
    position,
    created_at: createdAt,
  };
}

function toText(read: ReadOutput): string {
  const notes: string[] = [];
  if (read.total_matches !== undefined) {
    const matches = read.total_matches === 1 ? "1 match" : `${read.total_matches} matches`;
    notes.push(`${matches} in ${read.total_lines} lines`);
  } else if (read.from_line !== undefined) notes.push(`lines ${read.from_line}–${read.to_line} of ${read.total_lines}`);
  if (read.next_line !== undefined) notes.push(`continue with from_line ${read.next_line}`);
  if (read.position !== undefined && read.position !== read.end_position) {
    notes.push(`continue with from_position ${read.position}`);
  }
  return [read.output, notes.length > 0 ? `[${notes.join("; ")}]` : ""].filter((part) => part !== "").join("\n");
}
