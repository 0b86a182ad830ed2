import { writeSync } from "node:fs";
import { CoreError, EXIT_ALREADY_RUNNING, READY_LINE, runHost } from "@belay/core";
import { acquireLock } from "../store/lock.ts";
import { VERSION } from "../version.ts";

/** The process that holds the terminals of one data folder. The gateway starts it, and it outlives the gateway. */
const [, , dataDir = ""] = process.argv;
const stop = new Promise<void>((resolve) => {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => resolve());
});
// On a full disk logging fails; without this handler that error would be logged in turn, endlessly.
process.stderr.on("error", () => {});
// A fault in one terminal must not end the others.
process.on("uncaughtException", (error) => log("Uncaught exception; continuing.", error));

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
    log("The host did not start.", error as Error);
    process.exit(isSecond ? EXIT_ALREADY_RUNNING : 1);
  },
);

function log(message: string, error?: Error): void {
  try {
    writeSync(2, `${new Date().toISOString()} ${message}${error ? ` ${error.stack}` : ""}\n`);
  } catch {
    // Logging fails on a full or read-only disk; a stream would report that as an error, which would be logged again.
  }
}
