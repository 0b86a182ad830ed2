import type { KeyboardReader, TerminalPool } from "@belay/core";
import type { Actor, TerminalId } from "@belay/protocol";
import type { AuditLog } from "../audit/audit-log.ts";
import { GatewayError } from "../errors.ts";

/**
 * A person answers one password prompt of an agent's terminal, and nothing else.
 *
 * The record says who lent an answer to which terminal, never what it was. It is
 * typed only for the program that was found to hide its input: if that one stops
 * reading meanwhile, nobody gets it, least of all a shell that would show it.
 */
export async function lendAnswer(
  { terminals, audit }: { terminals: TerminalPool; audit: AuditLog },
  { id, answer, by }: { id: TerminalId; answer: string; by: Actor },
): Promise<void> {
  const terminal = await terminals.get(id);
  if (terminal.owner !== "agent")
    throw new GatewayError("not-asking", "A person holds this terminal already: type into it.");
  const reader = await terminals.reader(id);
  if (!hidesInput(reader)) throw notAsking();
  const { activity } = terminal;
  const commandId = activity.kind === "busy" ? activity.commandId : null;
  await audit.append({
    type: "terminal.answer-lent",
    actor: by,
    terminalId: id,
    ...(commandId ? { commandId } : {}),
    detail: { program: reader.processes[0]?.argv[0] ?? null },
  });
  const readerPids = reader.processes.map(({ pid }) => pid);
  const { stopped } = await terminals.type(id, { text: `${answer}\n`, readerPids, readsLines: true });
  if (stopped !== "no") throw notAsking();
}

function hidesInput(reader: KeyboardReader): reader is Extract<KeyboardReader, { kind: "program" }> {
  return reader.kind === "program" && reader.hidesInput;
}

function notAsking(): GatewayError {
  return new GatewayError("not-asking", "Nothing in this terminal asks for a password any more. Nothing was typed.");
}
