import { setTimeout as delay } from "node:timers/promises";
import type { KeyboardReader, TerminalPool, WaitStrategy } from "@belay/core";
import type { TerminalId } from "@belay/protocol";
import { GatewayError } from "../errors.ts";
import type { AgentRow } from "../store/tables/agents.ts";
import { assertMayUse } from "../terminals/shells/agent-terminals.ts";
import type { TypeAct } from "./act.ts";
import { SHELL_READS_KEYS } from "./describe-outcome.ts";

/**
 * An agent's keys for a terminal, with their current reader. A shell at its prompt
 * takes commands, not keys. If no program reads, nothing is typed: it would go to the next reader.
 */
export async function prepareInput(
  terminals: TerminalPool,
  agent: AgentRow,
  { terminalId, text, wait }: { terminalId: TerminalId; text: string; wait: WaitStrategy },
): Promise<TypeAct> {
  const terminal = await terminals.get(terminalId);
  assertMayUse(agent, terminal);
  const runningId = terminal.activity.kind === "busy" ? terminal.activity.commandId : null;
  const reader = await untilSomethingReads(terminals, terminalId);
  switch (reader.kind) {
    case "program":
      // The request itself must not contain a secret; it is refused later in any case.
      return { type: "type", terminalId, text: reader.hidesInput ? "" : text, reader, runningId, wait };
    case "prompt":
      if (runningId !== null) {
        throw new GatewayError("nothing-reads", SHELL_READS_KEYS);
      }
      throw new GatewayError(
        "nothing-reads",
        "The shell is at its prompt: no program is waiting for input. Send it as a command instead.",
      );
    case "none":
      throw new GatewayError(
        "nothing-reads",
        "The program is not reading its input now. Poll until its state is waiting_input, or send Ctrl-C to end it.",
      );
    case "unknown":
      throw new GatewayError("nothing-reads", "It is unknown which program would read this, so it was not typed.");
  }
}

/** A pager that has just drawn its first page is about to read: a single check would refuse the key that ends it. */
const LONGEST_LOOK_MS = 2_000;
const LOOK_EVERY_MS = 50;

async function untilSomethingReads(terminals: TerminalPool, id: TerminalId): Promise<KeyboardReader> {
  const deadline = performance.now() + LONGEST_LOOK_MS;
  for (;;) {
    const reader = await terminals.reader(id);
    if (reader.kind !== "none" || performance.now() > deadline) return reader;
    await delay(LOOK_EVERY_MS);
  }
}
