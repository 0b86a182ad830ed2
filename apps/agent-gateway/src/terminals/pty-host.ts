import { writeSync } from "node:fs";
import { CoreError, EXIT_CODE_OF_SECOND, READY_LINE, runHost } from "@belay/core";
import { acquireLock } from "../store/lock.ts";
import { VERSION } from "../version.ts";

/** The process that holds the terminals of one data dir, started by the gateway and not ended with it. */
const [, , dataDir = ""] = process.argv;
const stop = new Promise<void>((resolve) => {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => resolve());
});
// A disk that is full or gone takes no log: that must not become a fault that is logged in turn, for ever.
process.stderr.on("error", () => {});
// A fault in what concerns one terminal is no reason to end all the others.
process.on("uncaughtException", (error) => log("A fault, after which it goes on.", error));

runHost({
  dataDir,
  program: `Belay ${VERSION}`,
  acquireLock,
  isService: false,
  stop,
  onReady: () => process.stdout.write(READY_LINE),
  onStopping: ({ openTerminals }) => log(`Stopping, with ${openTerminals} open.`),
  log,
}).then(
  () => process.exit(0),
  (error: unknown) => {
    const isSecond = error instanceof CoreError && error.code === "host-running";
    log("It did not start.", error as Error);
    process.exit(isSecond ? EXIT_CODE_OF_SECOND : 1);
  },
);

function log(message: string, error?: Error): void {
  try {
    writeSync(2, `${new Date().toISOString()} ${message}${error ? ` ${error.stack}` : ""}\n`);
  } catch {
    // A disk that is full or read-only takes no log. As a stream it would be a fault of its own, logged again, for ever.
  }
}
