import { type HookForm, printed } from "../hook-form.ts";
import { claudeAnswer, parseClaudeCall } from "./claude.ts";

/**
 * Codex uses Claude Code's format, but accepts only a denial, or an approval with an edited command. It treats a plain
 * approval, and `ask`, as a failed hook, after which the command runs: so silence means yes, and `ask` becomes a denial.
 */
export const codex: HookForm = {
  client: "codex",
  canAsk: false,
  canEdit: true,
  parse: parseClaudeCall,
  reply: (answer, payload) =>
    printed(answer.decision === "allow" && answer.editedTo === null ? null : claudeAnswer(answer, payload)),
};
