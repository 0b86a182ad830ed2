import type { WaitStrategy } from "@belay/core";
import type { CommandId, TerminalId, TerminalInfo } from "@belay/protocol";
import { LONGEST_HOLD_MS } from "../../commands/commands.ts";
import type { CommandOutcome } from "../../commands/outcome.ts";
import type { Origin } from "../../commands/submit-command.ts";
import { prepareInput } from "../../commands/typed-input.ts";
import { GatewayError } from "../../errors.ts";
import { assertMayUse } from "../../terminals/shells/agent-terminals.ts";
import { pollCommand } from "./poll-command.ts";
import { submitAndHold } from "./submit-and-hold.ts";
import type { ToolCall } from "./tool-call.ts";

/** How long a program has to reach its prompt. */
const UNTIL_IT_READS_MS = 5_000;
const INTERRUPT = "\u0003";
/** A starting shell would handle a Ctrl-C itself, and run the command after it. */
const UNTIL_IT_RUNS: WaitStrategy = { type: "settle", minMs: 0, settleMs: 100, maxMs: 2_000 };

interface Typing {
  terminalId: TerminalId;
  text: string;
  wait: WaitStrategy;
  origin: Origin;
}

export interface Typed {
  outcome: CommandOutcome;
  runningId: CommandId;
  /** It was refused because the reader asks for a password. */
  isSecret: boolean;
}

/** Types for the program that runs in a terminal; judged like a command. */
export async function typeInto(call: ToolCall, { terminalId, text, wait, origin }: Typing): Promise<Typed> {
  const { agent, gateway, signal } = call;
  const terminal = await gateway.terminals.get(terminalId);
  assertMayUse(agent, terminal);
  const runningId = runningIn(terminal);
  if (text === INTERRUPT) {
    return { outcome: await interrupt(call, terminal, runningId, wait), runningId, isSecret: false };
  }

  const untilItReads = { type: "idle", idleMs: null, timeoutMs: UNTIL_IT_READS_MS } as const;
  await gateway.terminals.waitFor(terminalId, runningId, untilItReads, signal);
  const act = await prepareInput(gateway.terminals, agent, { terminalId, text, wait });
  const outcome = await submitAndHold(call, { act, origin });
  return { outcome, runningId, isSecret: outcome.status === "denied" && act.reader.hidesInput };
}

/** Ctrl-C, even for a program that is not reading. Like a kill it is recorded, and needs no approval. */
async function interrupt(call: ToolCall, { id }: TerminalInfo, runningId: CommandId, wait: WaitStrategy) {
  const { agent, gateway } = call;
  if (await gateway.freezer.isFrozen(agent.id)) return { status: "frozen" } as const;
  await gateway.terminals.waitFor(id, runningId, UNTIL_IT_RUNS, call.signal);
  const actor = { type: "agent", id: agent.id } as const;
  await gateway.audit.append({ type: "terminal.interrupted", actor, terminalId: id, commandId: runningId });
  await gateway.terminals.write(id, INTERRUPT);
  return call.hold(LONGEST_HOLD_MS, (hold) => pollCommand(call, runningId, wait, hold));
}

function runningIn({ activity }: TerminalInfo): CommandId {
  if (activity.kind === "busy" && activity.commandId !== null) return activity.commandId;
  throw new GatewayError("nothing-reads", "No running program can read this. Send it as a command instead.");
}
