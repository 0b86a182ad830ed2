import { CoreError } from "@belay/core";
import { TerminalId } from "@belay/protocol";
import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { SpawnAct } from "../../../commands/act.ts";
import { describeOutcome } from "../../../commands/describe-outcome.ts";
import { GatewayError } from "../../../errors.ts";
import { newId } from "../../../store/new-id.ts";
import { endTerminal } from "../../../terminals/end-terminal.ts";
import { handOverTerminal } from "../../../terminals/hand-over.ts";
import { findPendingStart } from "../pending-start.ts";
import { submitAndHold } from "../submit-and-hold.ts";
import { addTool, refuse, type ToolCall, type ToolHost } from "../tool-call.ts";
import { blockedMessage, json, Pending, PoolTerminal, toPending, toPoolTerminal, toSpawnReply } from "./pool-reply.ts";

const OfTerminal = z.strictObject({ terminalId: TerminalId.describe("The id of a terminal, pty-…") });
const READS = { readOnlyHint: true };

/** Background terminals beside those of people; replies are the JSON that agents of this toolset expect. */
export function registerPool(server: McpServer, host: ToolHost): void {
  addTool(
    server,
    host,
    {
      name: "list_terminals",
      title: "List terminals",
      description:
        "Lists the terminals that you can read: those that you started, those that you handed over, and those of people who " +
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
        "Gives the last 64 KB of a terminal's raw output. Also gives the state of a start that waits for a person, " +
        "by its id.",
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
      annotations: { readOnlyHint: false, destructiveHint: true },
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
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    async ({ terminalId }, { agent, gateway }) =>
      json(toPoolTerminal(await handOverTerminal(gateway, agent, terminalId))),
  );

  addTool(
    server,
    host,
    {
      name: "kill_terminal",
      title: "End a background terminal",
      description:
        "Ends one of your background terminals and everything running in it. Succeeds for one that is already gone; those of " +
        "people, and those that you handed over, stay.",
      input: OfTerminal,
      output: z.object({ terminated: z.literal(true), id: z.string() }),
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
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
    if (start?.words.isNotRun) return refuse(blockedMessage(start.words));
    if (start) return json({ terminalId, history: "", ...toPending(start.words) });
    throw error;
  }
  const { text } = await gateway.terminals.history(terminalId, gateway.policy.settings.limits.historyBytes);
  return json({ terminalId, history: text });
}

async function spawn(cwd: string, argv: string[], call: ToolCall): Promise<CallToolResult> {
  const { agent, gateway } = call;
  const { limits } = gateway.policy.settings;
  const { machine } = gateway.places.startOf(agent);
  const terminalId = newId("pty");
  const act: SpawnAct = {
    type: "spawn",
    terminalId,
    surface: "spawn",
    request: {
      ...(machine !== undefined && { machine }),
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
    const outcome = await submitAndHold(call, { act, origin: "pool" });
    return toSpawnReply(outcome, describeOutcome(outcome, { text: argv.join(" "), url: gateway.url() }), act);
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

async function kill(id: TerminalId, { agent, gateway }: ToolCall): Promise<CallToolResult> {
  const done = json({ terminated: true, id });
  const terminal = (await gateway.terminals.list()).find((open) => open.id === id);
  if (!terminal || !gateway.sharedTerminals.canRead(agent, terminal)) {
    // Ids grant no access: another agent's terminal does not exist here, and ending one that does not exist succeeds.
    const start = await gateway.commands.latestIn(agent, id);
    if (start && start.startedAt === null) await gateway.commands.kill(agent, start.id);
    return done;
  }
  if (terminal.owner !== "agent" || terminal.visible) return refuse("Cannot kill visible or user-owned terminals");
  await endTerminal(gateway, agent, terminal);
  return done;
}

function isNotThere(error: unknown): boolean {
  return (error instanceof CoreError || error instanceof GatewayError) && error.code === "terminal-not-found";
}
