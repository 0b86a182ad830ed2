import { completeContext, type JudgeContext } from "./context.ts";
import { showHidden } from "./input/characters.ts";
import { normalForm } from "./normal-form.ts";
import { readCommand } from "./read-command.ts";

/** More than a person reads before they answer. */
const MAX_LINES = 50;

/**
 * The programs that a text starts in the end, one line each, in the order in which they are found: wrappers such as
 * `env`, `bash -c` and `xargs` are taken off, functions and variables filled in. For people, not for judging.
 */
export function whatRuns(text: string, given: Partial<JudgeContext>): string[] {
  const { invocations } = readCommand(text, completeContext(given, "standard"));
  const lines = invocations
    .filter(({ isTransparent, program }) => !isTransparent && program !== "")
    .map((invocation) => showHidden(normalForm(invocation)));
  return [...new Set(lines)].slice(0, MAX_LINES);
}
