import { CommandId, TerminalId } from "@belay/protocol";
import { z } from "zod";

const MAX_WAIT_MS = 3_600_000;

/** Ids and numbers are validated at use, because every part of the schema costs tokens with every request. */
const Milliseconds = z.number();

/** Not strict: agents have habits from other tools, and an unknown parameter is no reason to refuse. */
export const UnifiedInput = z.looseObject({
  command: z.string().optional(),
  handle_id: z.string().optional().describe("From an earlier reply; alone: polls."),
  input: z.string().optional().describe('With handle_id: keys, Enter included ("y\\n"). "\\u0003" is Ctrl-C.'),
  background: z.boolean().optional().describe("For servers; answers after 2 s."),
  async: z.boolean().optional().describe("For long work; a later reply brings the result."),
  cwd: z.string().optional().describe("For this command alone."),
  env: z.record(z.string(), z.string()).optional().describe("Likewise."),
  terminal_id: z.string().optional().describe("Use this terminal from now on."),
  new: z.boolean().optional().describe("Use a fresh shell from now on."),
  machine: z.string().optional().describe("Use that machine from now on."),
  idle_ms: Milliseconds.optional().describe("Answer after this silence (10000)."),
  timeout: Milliseconds.optional().describe("Longest wait, ms; it goes on."),
  wait_ms: Milliseconds.optional().describe("With handle_id: wait for more."),
  max_duration: z.number().optional().describe("Seconds; then it is ended."),
  max_output_chars: z.number().optional().describe("Default 4000."),
  preview: z.boolean().optional().describe("Only show what it would change."),
  kill: z.boolean().optional().describe("Ends it and its shell."),
});
type UnifiedInput = z.infer<typeof UnifiedInput>;

/** Names for the same parameters in other tools and earlier versions. */
const OTHER_NAMES: Readonly<Record<string, keyof UnifiedInput>> = {
  session_id: "handle_id",
  working_dir: "cwd",
  workdir: "cwd",
  cmd: "command",
  run_in_background: "background",
  timeout_ms: "timeout",
};
/** Meant for people; it has no effect. */
const UNHEEDED = new Set(["description"]);

/** The parameters by their own names, and the unknown ones. */
export function readInput(given: UnifiedInput): { input: CheckedInput; ignored: string[] } {
  const named: Record<string, unknown> = {};
  const ignored: string[] = [];
  for (const [key, value] of Object.entries(given)) {
    const name = OTHER_NAMES[key] ?? key;
    if (name in UnifiedInput.shape) named[name] ??= value;
    else if (!UNHEEDED.has(key)) ignored.push(key);
  }
  return { input: Checked.parse(named), ignored };
}

const Wait = z.int().min(0).max(MAX_WAIT_MS);

const Checked = UnifiedInput.extend({
  command: z.string().min(1).optional(),
  handle_id: CommandId.optional(),
  terminal_id: TerminalId.optional(),
  idle_ms: Wait.optional(),
  timeout: Wait.optional(),
  wait_ms: Wait.optional(),
  max_duration: z.number().positive().optional(),
  max_output_chars: z.int().min(100).max(200_000).optional(),
});
export type CheckedInput = z.infer<typeof Checked>;
