import type { Settings } from "./env.ts";
import { startGateway } from "./gateway.ts";

/** Past this, a shutdown that hangs is ended by force. */
const SHUTDOWN_TIMEOUT_MS = 5000;

/** Starts the gateway, says where it is, and stops it on the first signal. */
export async function runUntilStopped(
  settings: Settings,
  { keepTerminals }: { keepTerminals: boolean },
): Promise<void> {
  const stopped = waitForSignal();
  const gateway = await startGateway(settings, { terminals: "own-process" });
  if (gateway.setupLink) print(`Sign in for the first time (this link works once):\n  ${gateway.setupLink}`);
  print(`Belay is ready at ${gateway.url()}`);

  const signal = await stopped;
  const open = (await gateway.terminals.list()).filter(({ state }) => state.status === "running").length;
  const what = `${keepTerminals ? "keeping" : "ending"} ${open} terminal${open === 1 ? "" : "s"}`;
  print(`${signal}: stopping${open === 0 ? "" : `, ${what}`} …`);
  const force = setTimeout(() => {
    process.stderr.write("belay: it did not stop within 5 s; ending by force.\n");
    process.exit(1);
  }, SHUTDOWN_TIMEOUT_MS);
  await gateway.close({ keepTerminals }).finally(() => clearTimeout(force));
  print("Stopped.");
}

function waitForSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isStopping = false;
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => {
        // npm passes Ctrl-C on although the terminal already sent it to everyone: the second one changes nothing.
        if (isStopping) return;
        isStopping = true;
        resolve(signal);
      });
    }
  });
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
