import type { JudgeContext } from "./context.ts";
import type { Invocation, NoteKind } from "./language/commands/invocation.ts";
import { assess } from "./programs/assess.ts";
import { programNamed } from "./programs/catalog/index.ts";
import type { Effect } from "./programs/define-program.ts";
import { readUse } from "./programs/effects/read-use.ts";
import type { ReadCommand } from "./read-command.ts";
import { OrdinaryWork } from "./settings/defaults/ordinary-work.ts";

/** Read-only effects. */
const LOOKS: ReadonlySet<Effect> = new Set(["read", "remote"]);
/** Notes about programs that are started, which are checked separately. */
const FOLLOWED: ReadonlySet<NoteKind> = new Set(["substitution", "pipe-to-shell"]);
/** Devices that can be written without leaving a file. */
const NO_FILE = /^\/dev\/(null|stdout|stderr|tty|fd\/\d+)$/;
const EVERYDAY = OrdinaryWork.parse({});

/**
 * Whether a command may change a file. "No" is certain: every program in it is known and read-only, and
 * none of its redirections writes to a file. Anything unknown may write.
 */
export function mayWrite(read: ReadCommand, context: JudgeContext): boolean {
  if (read.syntax !== "complete" || read.notes.some(({ kind }) => !FOLLOWED.has(kind))) return true;
  return read.invocations.some((invocation) => invocationMayWrite(invocation, context));
}

function invocationMayWrite(invocation: Invocation, context: JudgeContext): boolean {
  const writes = invocation.effects.filter(({ type }) => type !== "read");
  if (writes.some(({ paths }) => paths.length === 0 || paths.some((path) => !NO_FILE.test(path)))) return true;
  if (invocation.isTransparent || invocation.program === "") return false;
  const program = programNamed(invocation.program);
  if (program === undefined || /^(?!\/(usr\/)?s?bin\/[^/]+$).*\//.test(invocation.path)) return true;
  const use = readUse(program, invocation.program, invocation.args);
  if (!LOOKS.has(use.does)) return true;
  if (use.options.some(({ kind, isGuessed }) => kind === "write" || kind === "code" || isGuessed)) return true;
  return assess(invocation, context, EVERYDAY)?.level !== "safe";
}
