import { Command } from "commander";
import type { Settings } from "../../../env.ts";

/** `belay start`: runs the gateway in the foreground until it is told to stop. */
export function startCommand(settings: Settings): Command {
  return new Command("start")
    .description("Start the gateway and serve the console")
    .addHelpText(
      "after",
      "\nSettings come from the environment: BELAY_HOST, BELAY_PORT, BELAY_DATA_DIR, BELAY_SECURITY_FILE,\n" +
        "BELAY_WORKSPACE, BELAY_PUBLIC_URL, BELAY_ADMIN_EMAIL and BELAY_ADMIN_PASSWORD_FILE, BELAY_LOG_LEVEL.",
    )
    .option("--keep-terminals", "leave the terminals running when it stops; the next start finds them again")
    .option("--no-setup-link", "do not print the link that makes the first admin: what is printed is kept in a log")
    .action(async ({ keepTerminals = false, setupLink }: { keepTerminals?: boolean; setupLink: boolean }) => {
      const { runUntilStopped } = await import("../../../main.ts");
      await runUntilStopped(settings, { keepTerminals, showsSetupLink: setupLink });
    });
}
