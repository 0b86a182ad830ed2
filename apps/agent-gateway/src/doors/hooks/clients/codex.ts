import { type HookForm, printed } from "../hook-form.ts";
import { claudeAnswer, parseClaudeCall } from "./claude.ts";

/**
 * Codex speaks like Claude Code, but takes only a no, or a yes to other words. A plain yes, and `ask`, count as a
 * hook that failed, after which the command runs: silence says yes, and what would be asked is denied.
 */
export const codex: HookForm = {
  client: "codex",
  canAsk: false,
  canEdit: true,
  parse: parseClaudeCall,
  reply: (answer, payload) =>
    printed(answer.decision === "allow" && answer.editedTo === null ? null : claudeAnswer(answer, payload)),
};
