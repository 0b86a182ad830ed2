import { CommandId, TerminalId } from "@belay/protocol";
import { z } from "zod";

const Milliseconds = z.int().min(0).max(3_600_000);

/** Loose: agents bring habits from other tools, and a parameter that means nothing here is no reason to run nothing. */
export const UnifiedInput = z.looseObject({
  command: z.string().min(1).optional().describe("Command line to run."),
  handle_id: CommandId.optional().describe("From an earlier reply. Alone: how that command stands, and what is new."),
  input: z
    .string()
    .optional()
    .describe('With handle_id: keys for the program, Enter included ("y\\n"). "\\u0003": Ctrl-C.'),
  background: z.boolean().optional().describe("For servers: answers after 2 s with a handle."),
  async: z.boolean().optional().describe("For long work: answers at once, a later reply brings the result."),
  cwd: z.string().optional().describe("Folder for this command alone."),
  env: z.record(z.string(), z.string()).optional().describe("Variables for this command alone."),
  terminal_id: TerminalId.optional().describe("Run in this terminal of yours, and stay there."),
  new: z.boolean().optional().describe("Run in a fresh shell, and stay there."),
  idle_ms: Milliseconds.optional().describe("Answer after so long without output. Default 10000."),
  timeout: Milliseconds.optional().describe("Longest wait in ms; the command goes on."),
  wait_ms: Milliseconds.optional().describe("With handle_id: wait so long for the end."),
  max_duration: z.number().positive().optional().describe("End it after so many seconds."),
  max_output_chars: z.int().min(100).max(200_000).optional().describe("Most output to return. Default 4000."),
  kill: z.boolean().optional().describe("With handle_id: end it and its shell."),
});
export type UnifiedInput = z.infer<typeof UnifiedInput>;

/** Names that other tools, and earlier versions, have for the same. */
const OTHER_NAMES: Readonly<Record<string, keyof UnifiedInput>> = {
  session_id: "handle_id",
  working_dir: "cwd",
  workdir: "cwd",
  cmd: "command",
  run_in_background: "background",
  timeout_ms: "timeout",
};
/** Said for a person to read; there is nothing to do about it. */
const UNHEEDED = new Set(["description"]);

/** The parameters by their own names, and those that mean nothing here. */
export function readInput(given: UnifiedInput): { input: UnifiedInput; ignored: string[] } {
  const named: Record<string, unknown> = {};
  const ignored: string[] = [];
  for (const [key, value] of Object.entries(given)) {
    const name = OTHER_NAMES[key] ?? key;
    if (name in UnifiedInput.shape) named[name] ??= value;
    else if (!UNHEEDED.has(key)) ignored.push(key);
  }
  return { input: UnifiedInput.parse(named), ignored };
}
