import { CoreError } from "@belay/core";
import { TerminalId, type TerminalInfo } from "@belay/protocol";
import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { SpawnAct } from "../../../commands/act.ts";
import { LONGEST_HOLD_MS } from "../../../commands/commands.ts";
import { type CommandDescription, describeCommand, type NotRun } from "../../../commands/describe-command.ts";
import { GatewayError } from "../../../errors.ts";
import { newId } from "../../../store/new-id.ts";
import { endTerminal } from "../../../terminals/end-terminal.ts";
import { promoteTerminal } from "../../../terminals/handover.ts";
import { findPendingStart, NO_LIMITS } from "../pending-start.ts";
import { addTool, refuse, type ToolCall, type ToolHost } from "../tool-call.ts";

const PoolTerminal = z.object({
  id: z.string(),
  cwd: z.string(),
  owner: z.enum(["user", "agent"]),
  visible: z.boolean(),
  createdAt: z.int(),
  command: z.array(z.string()).optional(),
});

const Pending = z.object({
  state: z.literal("waiting_approval").optional(),
  approvalId: z.string().optional(),
  hint: z.string().optional(),
});

const OfTerminal = z.strictObject({ terminalId: TerminalId.describe("The id of a terminal, pty-…") });
const READS = { readOnlyHint: true, openWorldHint: false, idempotentHint: true };
/** Background terminals beside those of people; replies are the JSON that agents of this toolset know. */
export function registerPool(server: McpServer, host: ToolHost): void {
  addTool(
    server,
    host,
    {
      name: "list_terminals",
      title: "List terminals",
      description:
        "Lists the terminals that you can read: those that you started, those that you promoted, and those of people who " +
        "shared one with you. Look here before you start another one.",
      input: z.strictObject({}),
      output: z.object({ terminals: z.array(PoolTerminal) }),
      annotations: READS,
    },
    async (_, { agent, gateway }) => {
      const terminals = (await gateway.sharedTerminals.list(agent)).map(toPoolTerminal);
      return { content: [{ type: "text", text: JSON.stringify(terminals) }], structuredContent: { terminals } };
    },
  );

  addTool(
    server,
    host,
    {
      name: "read_terminal",
      title: "Read a terminal",
      description:
        "Gives the last 64 KB that a terminal printed, as it was printed. Also tells how a start that waits for a person " +
        "stands, by the id that it was given.",
      input: OfTerminal,
      output: z.object({ terminalId: z.string(), history: z.string(), ...Pending.shape }),
      annotations: READS,
    },
    ({ terminalId }, call) => read(terminalId, call),
  );

  addTool(
    server,
    host,
    {
      name: "spawn_background_terminal",
      title: "Start a program in the background",
      description:
        "Starts a program in a terminal of its own, such as a development server or a test watcher, and returns at once. " +
        "`command` is the program and its arguments, one by one; no shell reads it. Use read_terminal to see what it prints. " +
        "It closes after five minutes without output. At most three are started in a minute, and five are open at once.",
      input: z.strictObject({
        cwd: z.string().min(1).describe("The folder that it starts in, as an absolute path."),
        command: z.array(z.string()).min(1).describe('The program and its arguments: ["npm", "run", "dev"].'),
      }),
      output: PoolTerminal.extend(Pending.shape),
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true, idempotentHint: false },
    },
    ({ cwd, command }, call) => spawn(cwd, command, call),
  );

  addTool(
    server,
    host,
    {
      name: "promote_terminal",
      title: "Hand a terminal to a person",
      description:
        "Makes one of your background terminals visible and a person's own, for good. It no longer closes by itself, and " +
        "you can read it but not end it. Use it when a server is ready.",
      input: OfTerminal,
      output: PoolTerminal,
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false, idempotentHint: true },
    },
    async ({ terminalId }, { agent, gateway }) =>
      json(toPoolTerminal(await promoteTerminal(gateway, agent, terminalId))),
  );

  addTool(
    server,
    host,
    {
      name: "kill_terminal",
      title: "End a background terminal",
      description:
        "Ends one of your background terminals and all that runs in it. One that is gone already counts as ended; those of " +
        "people, and those that you promoted, stay.",
      input: OfTerminal,
      output: z.object({ terminated: z.literal(true), id: z.string() }),
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false, idempotentHint: true },
    },
    ({ terminalId }, call) => kill(terminalId, call),
  );
}

async function read(terminalId: TerminalId, call: ToolCall): Promise<CallToolResult> {
  const { agent, gateway } = call;
  try {
    await gateway.sharedTerminals.readable(agent, terminalId);
  } catch (error) {
    const start = isNotThere(error) ? await findPendingStart(terminalId, call) : null;
    if (start?.kind === "waiting") return json({ terminalId, history: "", ...toPending(start) });
    if (start?.kind === "not-run") return refuse(blockedMessage(start));
    throw error;
  }
  const { text } = await gateway.terminals.history(terminalId, gateway.policy.settings.limits.historyBytes);
  return json({ terminalId, history: text });
}

async function spawn(cwd: string, argv: string[], call: ToolCall): Promise<CallToolResult> {
  const { agent, gateway } = call;
  const { limits } = gateway.policy.settings;
  const terminalId = newId("pty");
  const act: SpawnAct = {
    type: "spawn",
    terminalId,
    surface: "spawn",
    request: {
      program: { type: "argv", argv },
      owner: "agent",
      visible: false,
      name: null,
      cwd,
      env: {},
      cols: 120,
      rows: 40,
      limits: { idleTimeoutMs: limits.spawnedIdleMs, maxLifetimeMs: null },
      quota: { key: `spawn ${agent.id}`, maxOpen: limits.spawnedTerminals, maxPerMinute: limits.spawnsPerMinute },
    },
  };
  try {
    const request = { commandId: newId("cmd"), agent, origin: "pool", act } as const;
    const view = await call.hold(LONGEST_HOLD_MS, (hold) => gateway.commands.submit(request, hold));
    return toSpawnReply(await describeCommand(view, gateway, { limits: NO_LIMITS, text: argv.join(" ") }), act);
  } catch (error) {
    if (!(error instanceof CoreError)) throw error;
    if (error.code === "spawn-rate-exceeded") {
      return refuse(`Spawn rate limit exceeded (max ${limits.spawnsPerMinute}/minute). ${error.message}`);
    }
    if (error.code === "quota-full") {
      return refuse(
        `Maximum concurrent agent terminals reached (${limits.spawnedTerminals}). End one with kill_terminal first.`,
      );
    }
    throw error;
  }
}

function toSpawnReply(described: CommandDescription, { terminalId, request }: SpawnAct): CallToolResult {
  switch (described.kind) {
    case "spawned":
      return json(toPoolTerminal(described.terminal));
    case "not-run":
      return refuse(blockedMessage(described));
    case "waiting": {
      const { owner, visible, cwd } = request;
      const command = request.program.type === "argv" ? request.program.argv : [];
      return json({
        id: terminalId,
        cwd,
        owner,
        visible,
        createdAt: described.approval.createdAt,
        command,
        ...toPending(described),
      });
    }
    default:
      return refuse(`It is still being started. Ask again with read_terminal and the id ${terminalId}.`);
  }
}

function blockedMessage({ message, isBlocked, rule, part, approvalId }: NotRun): string {
  // A person's refusal is no rule of the list, and they may have said why.
  if (!isBlocked || approvalId !== null) return message;
  const where = part === null ? "" : ` Because of: ${part}`;
  return `Command blocked for security reasons (rule ${rule ?? "unknown"}). ${message}${where}`;
}

function toPending({ approval, message, hint }: Extract<CommandDescription, { kind: "waiting" }>) {
  const next = "Ask again with read_terminal and this id.";
  return { state: "waiting_approval" as const, approvalId: approval.id, hint: `${message} ${next} ${hint}` };
}

async function kill(id: TerminalId, { agent, gateway }: ToolCall): Promise<CallToolResult> {
  const done = json({ terminated: true, id });
  const terminal = (await gateway.terminals.list()).find((open) => open.id === id);
  if (!terminal || !gateway.sharedTerminals.canRead(agent, terminal)) {
    // Ids are names, not keys: what is another's does not exist for this one, and what does not exist is ended.
    const start = await gateway.commands.latestIn(agent, id);
    if (start && start.startedAt === null) await gateway.commands.kill(agent, start.id);
    return done;
  }
  if (terminal.owner !== "agent" || terminal.visible) return refuse("Cannot kill visible or user-owned terminals");
  await endTerminal(gateway, agent, terminal);
  return done;
}

function toPoolTerminal({ id, cwd, owner, visible, createdAt, command }: TerminalInfo): z.infer<typeof PoolTerminal> {
  return { id, cwd, owner, visible, createdAt, ...(command === null ? {} : { command }) };
}

function isNotThere(error: unknown): boolean {
  return (error instanceof CoreError || error instanceof GatewayError) && error.code === "terminal-not-found";
}

function json(value: Record<string, unknown>): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
}
