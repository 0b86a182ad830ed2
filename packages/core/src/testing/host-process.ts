import { EXIT_ALREADY_RUNNING, READY_LINE } from "../host/connect/launch.ts";
import { runHost } from "../host/serve/run-host.ts";

/** The host program of a test. Tests have one host per data folder, so there is no lock. */
const stop = new Promise<void>((resolve) => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve());
});
runHost({
  dataDir: process.argv[2] as string,
  program: "test",
  acquireLock: () => ({ release: () => {} }),
  isService: false,
  ...(process.env.UNUSED_MS && { unusedMs: Number(process.env.UNUSED_MS) }),
  stop,
  onReady: () => process.stdout.write(READY_LINE),
  onStopping: () => {},
  log: (message, error) => process.stderr.write(`${message} ${error?.stack ?? ""}\n`),
}).then(
  () => process.exit(0),
  (error: Error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(EXIT_ALREADY_RUNNING + 1);
  },
);
