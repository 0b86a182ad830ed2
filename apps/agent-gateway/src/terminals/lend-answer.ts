import type { KeyboardReader, TerminalPool } from "@belay/core";
import type { Actor, TerminalId } from "@belay/protocol";
import type { AuditLog } from "../audit/audit-log.ts";
import { GatewayError } from "../errors.ts";

type ProgramReader = Extract<KeyboardReader, { kind: "program" }>;
type ReaderCode = ProgramReader["processes"][number]["code"];

/** The program that asks for a password, as shown to the person who might answer. */
export interface PasswordAsker {
  /** The executable; null if unknown. */
  path: string | null;
  /** Its command line, which a program can choose freely. */
  argv: string[];
  /** Null if there is no warning. */
  warning: string | null;
  /** The agent's own code asks, or could get the answer: people cannot answer it. */
  isAgents: boolean;
}

interface LentAnswer {
  id: TerminalId;
  answer: string;
  /** True: typed only while echo is off, and never recorded. */
  isSecret: boolean;
  /** The path of the asking program, if the person was warned about it and trusts it anyway. */
  trustedPath: string | null;
  by: Actor;
}

const WARNINGS: Record<ReaderCode, string | null> = {
  "shell-builtin": "The agent's own shell asks (read): the agent can see what you type.",
  interpreter: "A script asks, which may be the agent's own: the agent may see what you type.",
  "other-program": "This program is not part of the system: the agent may have built it, or changed what it loads.",
  "passes-on": "This program hands on what it reads, so the agent may see what you type.",
  "system-other":
    "This program is part of the system, but how it was started decides what it does with a password: it may show, store or send what you type.",
  "system-program": null,
  unknown: "It could not be determined which program asks.",
};
/** They never get a password from a person who does not see the whole terminal. */
const NEVER: ReadonlySet<ReaderCode> = new Set(["shell-builtin", "interpreter", "passes-on", "unknown"]);

/** Null if no program in the terminal asks for a password. */
export async function findPasswordAsker(terminals: TerminalPool, id: TerminalId): Promise<PasswordAsker | null> {
  const reader = await terminals.reader(id);
  return hidesInput(reader) ? askerOf(reader) : null;
}

/**
 * A person answers one prompt in an agent's terminal, and nothing else.
 *
 * The answer is typed only for the program that was found to wait for it: if that program stops reading
 * meanwhile, nothing is typed, so a shell cannot show or run it. The record says
 * who answered which program, but never a password. The agent's own code never gets a
 * password, and a program that is not part of the system gets one only if the person was
 * shown its path and confirms.
 */
export async function lendAnswer(
  { terminals, audit }: { terminals: TerminalPool; audit: AuditLog },
  { id, answer, isSecret, trustedPath, by }: LentAnswer,
): Promise<void> {
  const terminal = await terminals.get(id);
  if (terminal.owner !== "agent")
    throw new GatewayError("not-asking", "A person has already taken over this terminal: type into it.");
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
    const message = `${warning} Nothing was typed. If you know what it does, take the terminal over and type it yourself.`;
    throw new GatewayError("asked-by-agent", message);
  }
  if (warning !== null && trustedPath !== path) {
    throw new GatewayError("asked-by-agent", `${warning} It is ${path ?? argv[0]}. Nothing was lent.`);
  }
}

/** The least trustworthy of the readers, because any of them may get the input. */
function askerOf({ processes }: ProgramReader): PasswordAsker {
  const order: ReaderCode[] = [
    "shell-builtin",
    "interpreter",
    "passes-on",
    "unknown",
    "other-program",
    "system-other",
    "system-program",
  ];
  const [worst] = [...processes].sort((one, other) => order.indexOf(one.code) - order.indexOf(other.code));
  if (!worst) return { path: null, argv: [], warning: WARNINGS.interpreter, isAgents: true };
  const { path, argv, code } = worst;
  return { path, argv, warning: WARNINGS[code], isAgents: NEVER.has(code) };
}

function hidesInput(reader: KeyboardReader): reader is ProgramReader {
  return reader.kind === "program" && reader.hidesInput;
}

function notAsking(isSecret: boolean): GatewayError {
  const what = isSecret ? "asks for a password" : "waits for an answer";
  return new GatewayError("not-asking", `No program in this terminal ${what} any more. Nothing was typed.`);
}
