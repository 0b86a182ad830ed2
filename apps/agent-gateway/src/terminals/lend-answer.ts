import type { KeyboardReader, TerminalPool } from "@belay/core";
import type { Actor, TerminalId } from "@belay/protocol";
import type { AuditLog } from "../audit/audit-log.ts";
import { GatewayError } from "../errors.ts";

type ProgramReader = Extract<KeyboardReader, { kind: "program" }>;
type ReaderCode = ProgramReader["processes"][number]["code"];

/** Who asks for a password, as the person sees it who might answer. */
export interface PasswordAsker {
  /** The file that really runs; null where it is another user's, such as sudo. */
  path: string | null;
  /** As it was started, which a program may choose freely. */
  argv: string[];
  /** Null where nothing speaks against it. */
  warning: string | null;
  /** It is the agent's own code that asks: nothing is lent to it. */
  isAgents: boolean;
}

interface LentAnswer {
  id: TerminalId;
  answer: string;
  /** True: it is typed only where it is hidden, and is on no record. */
  isSecret: boolean;
  /** The path of the asking program, where the person was warned of it and trusts it all the same. */
  trustedPath: string | null;
  by: Actor;
}

const WARNINGS: Record<ReaderCode, string | null> = {
  "shell-builtin": "The agent's own shell asks (read): whatever you type is the agent's.",
  interpreter: "A script asks, which may be the agent's own: whatever you type may be the agent's.",
  "other-program": "This program is none of the system's: the agent may have built it, or changed what it loads.",
  "system-program": null,
  unknown: null,
};

/** Null where nothing in the terminal asks for a password. */
export async function findPasswordAsker(terminals: TerminalPool, id: TerminalId): Promise<PasswordAsker | null> {
  const reader = await terminals.reader(id);
  return hidesInput(reader) ? askerOf(reader) : null;
}

/**
 * A person answers one prompt of an agent's terminal, and nothing else.
 *
 * It is typed only for the program that was found to wait for it: if that one stops reading
 * meanwhile, nobody gets it, least of all a shell that would show or run it. The record says
 * who answered which program; of a password never what it was. A password is never lent to the
 * agent's own code, and to a program that is none of the system's only where the person was
 * shown its path and says so.
 */
export async function lendAnswer(
  { terminals, audit }: { terminals: TerminalPool; audit: AuditLog },
  { id, answer, isSecret, trustedPath, by }: LentAnswer,
): Promise<void> {
  const terminal = await terminals.get(id);
  if (terminal.owner !== "agent")
    throw new GatewayError("not-asking", "A person holds this terminal already: type into it.");
  const reader = await terminals.reader(id);
  if (reader.kind !== "program" || reader.hidesInput !== isSecret) throw notAsking(isSecret);
  const asker = askerOf(reader);
  if (isSecret) assertMayGetSecret(asker, trustedPath);
  const { activity } = terminal;
  const commandId = activity.kind === "busy" ? activity.commandId : null;
  await audit.append({
    type: "terminal.answer-lent",
    actor: by,
    terminalId: id,
    ...(commandId ? { commandId } : {}),
    detail: { program: asker.argv[0] ?? null, path: asker.path, ...(isSecret ? {} : { answer }) },
  });
  const readerPids = reader.processes.map(({ pid }) => pid);
  const { readsLines } = reader;
  const text = `${answer}${readsLines ? "\n" : "\r"}`;
  const { stopped } = await terminals.type(id, { text, readerPids, readsLines });
  if (stopped !== "no") throw notAsking(isSecret);
}

function assertMayGetSecret({ path, argv, warning, isAgents }: PasswordAsker, trustedPath: string | null): void {
  if (isAgents) {
    const message = `${warning} Nothing was lent. If you know what it does, take the terminal over and type it yourself.`;
    throw new GatewayError("asked-by-agent", message);
  }
  if (warning !== null && trustedPath !== path) {
    throw new GatewayError("asked-by-agent", `${warning} It is ${path ?? argv[0]}. Nothing was lent.`);
  }
}

/** The least trustworthy of those that read: each of them may get what is typed. */
function askerOf({ processes }: ProgramReader): PasswordAsker {
  const order: ReaderCode[] = ["shell-builtin", "interpreter", "other-program", "unknown", "system-program"];
  const [worst] = [...processes].sort((one, other) => order.indexOf(one.code) - order.indexOf(other.code));
  if (!worst) return { path: null, argv: [], warning: WARNINGS.interpreter, isAgents: true };
  const { path, argv, code } = worst;
  return { path, argv, warning: WARNINGS[code], isAgents: code === "shell-builtin" || code === "interpreter" };
}

function hidesInput(reader: KeyboardReader): reader is ProgramReader {
  return reader.kind === "program" && reader.hidesInput;
}

function notAsking(isSecret: boolean): GatewayError {
  const what = isSecret ? "asks for a password" : "waits for an answer";
  return new GatewayError("not-asking", `Nothing in this terminal ${what} any more. Nothing was typed.`);
}
