import type { TerminalPool } from "@belay/core";
import type { Actor, TerminalId } from "@belay/protocol";
import type { AuditLog } from "../audit/audit-log.ts";
import { GatewayError } from "../errors.ts";

/**
 * A person answers one prompt of an agent's terminal, and nothing else.
 *
 * It is typed only for the program that was found to wait for it: if that one stops reading
 * meanwhile, nobody gets it, least of all a shell that would show or run it. The record says
 * who answered which terminal; of a password never what it was.
 */
export async function lendAnswer(
  { terminals, audit }: { terminals: TerminalPool; audit: AuditLog },
  { id, answer, isSecret, by }: { id: TerminalId; answer: string; isSecret: boolean; by: Actor },
): Promise<void> {
  const terminal = await terminals.get(id);
  if (terminal.owner !== "agent")
    throw new GatewayError("not-asking", "A person holds this terminal already: type into it.");
  const reader = await terminals.reader(id);
  if (reader.kind !== "program" || reader.hidesInput !== isSecret) throw notAsking(isSecret);
  const { activity } = terminal;
  const commandId = activity.kind === "busy" ? activity.commandId : null;
  await audit.append({
    type: "terminal.answer-lent",
    actor: by,
    terminalId: id,
    ...(commandId ? { commandId } : {}),
    detail: { program: reader.processes[0]?.argv[0] ?? null, ...(isSecret ? {} : { answer }) },
  });
  const readerPids = reader.processes.map(({ pid }) => pid);
  const { readsLines } = reader;
  const text = `${answer}${readsLines ? "\n" : "\r"}`;
  const { stopped } = await terminals.type(id, { text, readerPids, readsLines });
  if (stopped !== "no") throw notAsking(isSecret);
}

function notAsking(isSecret: boolean): GatewayError {
  const what = isSecret ? "asks for a password" : "waits for an answer";
  return new GatewayError("not-asking", `Nothing in this terminal ${what} any more. Nothing was typed.`);
}
