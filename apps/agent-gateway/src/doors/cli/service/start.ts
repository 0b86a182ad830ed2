import { Command } from "commander";
import type { Settings } from "../../../env.ts";
import { printJson, printTable } from "../print.ts";

interface StartFlags {
  keepTerminals?: boolean;
  setupLink: boolean;
  printConfig?: boolean;
  json?: boolean;
}

/** `belay start`: runs the gateway in the foreground until it is stopped. */
export function startCommand(settings: Settings): Command {
  return new Command("start")
    .description("Start the gateway and serve the console")
    .addHelpText("after", "\nSettings come from the environment; --print-config shows each of them.")
    .option("--keep-terminals", "keep the terminals running when it stops; the next start finds them")
    .option("--no-setup-link", "do not print the link that creates the first admin, for output that goes to a log")
    .option("--print-config", "show every setting and its source, without secrets, and exit")
    .option("--json", "with --print-config: print JSON")
    .action(async ({ keepTerminals = false, setupLink, printConfig, json }: StartFlags) => {
      if (printConfig) return json ? printJson(settings.shown) : printSettings(settings);
      const { runUntilStopped } = await import("../../../main.ts");
      await runUntilStopped(settings, { keepTerminals, showsSetupLink: setupLink });
    });
}

function printSettings({ shown }: Settings): void {
  printTable(
    ["SETTING", "VALUE", "FROM"],
    shown.map(({ name, value, from }) => [name, value ?? "(not set)", from]),
  );
}
