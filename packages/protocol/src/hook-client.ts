import { z } from "zod";

/** Clients that have their own shell and ask Belay before each command, by a hook. */
export const HookClient = z.enum([
  "claude",
  "codex",
  "gemini",
  "copilot",
  "cursor",
  "vscode",
  "opencode",
  "windsurf",
  "cline",
]);
export type HookClient = z.infer<typeof HookClient>;

/** The client that runs a command in its own shell, which Belay only judges. */
export const ClientConversation = z.object({
  client: HookClient,
  /** The client's own name for its conversation; null if it gives none. */
  session: z.string().nullable(),
});
export type ClientConversation = z.infer<typeof ClientConversation>;
