import { runHost } from "@belay/core";
import { Command } from "commander";
import type { Settings } from "../../../env.ts";
import { VERSION } from "../../../version.ts";

/** `belay host`: holds the terminals as a separate service, so that the gateway can be replaced. */
export function hostCommand(settings: Settings): Command {
  return new Command("host")
    .description("Run the terminal host in the foreground, as a service beside the gateway")
    .addHelpText(
      "after",
      "\nWithout it the gateway starts a host by itself. As a separate service it survives restarts of the\n" +
        "gateway; start that with `belay start --keep-terminals`. SIGTERM ends the terminals.",
    )
    .action(async () => {
      const { acquireLock } = await import("../../../store/lock.ts");
      const stop = new Promise<void>((resolve) => {
        for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => resolve());
      });
      await runHost({
        dataDir: settings.dataDir,
        program: `Belay ${VERSION}`,
        acquireLock,
        isService: true,
        stop,
        onReady: ({ socket }) => print(`Terminals are held here. The gateway finds them at ${socket}`),
        onStopping: ({ openTerminals }) =>
          print(`Stopping, ending ${openTerminals} terminal${openTerminals === 1 ? "" : "s"} …`),
        log: (message, error) => process.stderr.write(`${message}${error ? ` ${error.stack}` : ""}\n`),
      });
      print("Stopped.");
      process.exit(0);
    });
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
