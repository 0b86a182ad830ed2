import { z } from "zod";

/** Clients that have a shell of their own and ask before each command in it, by a hook. */
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

/** Where a command runs that Belay judges and does not run itself: in the shell of a client. */
export const ClientSession = z.object({
  client: HookClient,
  /** The client's own name for its conversation; null where it gives none. */
  session: z.string().nullable(),
});
export type ClientSession = z.infer<typeof ClientSession>;
