import { Command } from "commander";
import type { Settings } from "../../../env.ts";
import { VERSION } from "../../../version.ts";

/** `belay host`: holds the terminals as a separate service; beside the gateway, or on another machine. */
export function hostCommand(settings: Settings): Command {
  return new Command("host")
    .description("Run the terminal host in the foreground: as a service beside the gateway, or on another machine")
    .option("--join <url>", "run terminals for the gateway at this address, on another machine")
    .option("--token <token>", "the token of `belay machine add`; safer in BELAY_JOIN_TOKEN or BELAY_JOIN_TOKEN_FILE")
    .addHelpText(
      "after",
      "\nWithout it the gateway starts a host by itself. As a separate service it survives restarts of the\n" +
        "gateway; start that with `belay start --keep-terminals`. SIGTERM ends the terminals.\n\n" +
        "With --join this machine runs terminals for a gateway elsewhere. It dials out, and needs no open port\n" +
        "and no database. The token is needed once; later starts only need --join.",
    )
    .action(async ({ join, token }: HostOptions) => {
      const { runHost } = await import("@belay/core");
      const { acquireLock } = await import("../../../store/lock.ts");
      const { joinOptions } = await import("../../machines/join-options.ts");
      // Ended by a signal, or because the gateway will never let this machine in.
      let end: (refusal: string | null) => void = () => {};
      const stop = new Promise<string | null>((resolve) => {
        end = resolve;
      });
      for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => end(null));
      const joining =
        join === undefined
          ? null
          : await joinOptions(
              { ...settings, joinToken: token ?? settings.joinToken },
              { address: join, end, say: print },
            );
      await runHost({
        dataDir: settings.dataDir,
        program: `Belay ${VERSION}`,
        acquireLock,
        isService: true,
        ...(joining && { join: joining }),
        stop,
        onReady: ({ socket }) =>
          print(joining ? "The terminals run here." : `The terminals run here. The gateway finds them at ${socket}`),
        onStopping: ({ openTerminals }) =>
          print(`Stopping, ending ${openTerminals} terminal${openTerminals === 1 ? "" : "s"} …`),
        log: (message, error) => process.stderr.write(`${message}${error ? ` ${error.stack}` : ""}\n`),
      });
      const refusal = await Promise.race([stop, null]);
      if (refusal === null) print("Stopped.");
      else process.stderr.write(`belay: ${refusal}\n`);
      process.exit(refusal === null ? 0 : 1);
    });
}

interface HostOptions {
  join?: string;
  token?: string;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
