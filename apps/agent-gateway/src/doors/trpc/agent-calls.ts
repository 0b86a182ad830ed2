import type { IncomingHttpHeaders } from "node:http";
import { CommandId, MachineName, TerminalId, type TerminalInfo } from "@belay/protocol";
import { z } from "zod";
import type { RunAct } from "../../commands/act.ts";
import { type CommandOutcome, isOver } from "../../commands/outcome.ts";
import type { Origin } from "../../commands/submit-command.ts";
import { prepareInput } from "../../commands/typed-input.ts";
import { GatewayError } from "../../errors.ts";
import type { Gateway } from "../../gateway.ts";
import { newId } from "../../store/new-id.ts";
import type { AgentRow } from "../../store/tables/agents.ts";
import type { PersonTerminal } from "../../terminals/person.ts";
import { agentShellRequest, assertShellExists } from "../../terminals/shells/shell-request.ts";
import { readConversationHints } from "../conversation.ts";
import { agentProcedure } from "./init.ts";

const Wait = z
  .strictObject({
    /** Also return after this long without output; null to keep waiting. */
    idleMs: z.int().min(0).max(600_000).nullable().default(10_000),
    timeoutMs: z.int().min(0).max(44_000).default(44_000),
  })
  .prefault({})
  .transform((wait) => ({ type: "idle" as const, ...wait }));

const Text = z.string().min(1).max(65_536);
const origin: Origin = "trpc";

/** What an agent can do over tRPC: a thin translation to the one path of every command. */
export const agentCalls = {
  /** Runs a command in a shell: the one with this id, or that of the conversation in the header `belay-conversation`. */
  run: agentProcedure
    .input(
      z.strictObject({
        id: TerminalId.optional(),
        command: Text,
        cwd: z.string().max(4096).optional(),
        machine: MachineName.optional(),
        env: z.record(z.string(), z.string()).optional(),
        wait: Wait,
      }),
    )
    .mutation(async ({ ctx: { agent, gateway, headers }, input: { id, command, cwd, machine, env, wait }, signal }) => {
      const conversation = { agent, id: conversationOf(headers) };
      const choice = { terminalId: id, cwd, machine };
      const shell = await gateway.agentTerminals.borrow(conversation, choice);
      const act: RunAct = {
        type: "run",
        terminalId: shell.terminal.id,
        line: command,
        wait,
        ...(shell.cwd === undefined ? {} : { cwd: shell.cwd }),
        ...(env === undefined ? {} : { env }),
      };
      const commandId = newId("cmd");
      const outcome = await gateway.commands.submit({ commandId, agent, origin, act }, holdBy(signal), shell.giveBack);
      return { ...(await withOutput(gateway, commandId, outcome)), notes: shell.notes };
    }),

  /** Types an answer for the program that reads the terminal. */
  type: agentProcedure
    .input(z.strictObject({ id: TerminalId, text: Text, wait: Wait }))
    .mutation(async ({ ctx: { agent, gateway }, input: { id, text, wait }, signal }) => {
      const act = await prepareInput(gateway.terminals, agent, { terminalId: id, text, wait });
      const commandId = newId("cmd");
      const outcome = await gateway.commands.submit({ commandId, agent, origin, act }, holdBy(signal));
      return withOutput(gateway, commandId, outcome);
    }),

  /** The state of a command that an earlier call did not wait for. */
  poll: agentProcedure
    .input(z.strictObject({ commandId: CommandId, wait: Wait }))
    .query(async ({ ctx: { agent, gateway }, input: { commandId, wait }, signal }) =>
      withOutput(gateway, commandId, await gateway.commands.poll(agent, commandId, wait, holdBy(signal))),
    ),
};

/** Opens a shell for the agent. Its options are judged first. */
export async function spawnForAgent(gateway: Gateway, agent: AgentRow, chosen: PersonTerminal): Promise<TerminalInfo> {
  const start = gateway.places.startOf(agent, chosen.machine);
  const { cwd = start.cwd, shell = null, name = null, cols, rows } = chosen;
  if (start.machine === undefined) assertShellExists(shell, gateway.settings.terminalEnv);
  const outcome = await gateway.commands.submit(
    {
      commandId: newId("cmd"),
      agent,
      origin,
      act: {
        type: "spawn",
        terminalId: newId("pty"),
        surface: "execute",
        request: { ...start, ...agentShellRequest({ shell, name, cwd, cols, rows }) },
      },
    },
    holdBy(undefined),
  );
  if (outcome.status === "spawned") return outcome.terminal;
  const why = outcome.status === "failed" ? outcome.message : `It was ${outcome.status}.`;
  throw new GatewayError("not-run", `No terminal was started. ${why}`);
}

function conversationOf(headers: IncomingHttpHeaders): string | null {
  const hints = readConversationHints({}, headers);
  if (hints.ok) return hints.value.conversationId;
  throw new GatewayError("bad-request", hints.message);
}

function holdBy(signal: AbortSignal | undefined) {
  return { signal: signal ?? new AbortController().signal };
}

async function withOutput(
  gateway: Gateway,
  commandId: CommandId,
  outcome: CommandOutcome,
): Promise<CommandOutcome & { commandId: CommandId; output: string | null; isDone: boolean }> {
  const output = outcome.status === "ran" ? (await gateway.outputTexts.of(outcome.report)).text : null;
  return { ...outcome, commandId, output, isDone: isOver(outcome) };
}
