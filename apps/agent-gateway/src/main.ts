import { setTimeout as delay } from "node:timers/promises";
import { describeNewAgents } from "./agents/doctor.ts";
import type { Settings } from "./env.ts";
import { type RunningGateway, startGateway } from "./gateway.ts";
import { BELAY } from "./paths.ts";

/** Past this, a shutdown that hangs is ended by force. */
const SHUTDOWN_TIMEOUT_MS = 5000;
/** npm passes Ctrl-C on although the terminal already sent it to everyone: so soon, a second one is not meant. */
const SAME_SIGNAL_MS = 500;
const COUNT_TIMEOUT_MS = 1000;
/** The other end went away in a moment in which nobody listened. Nothing but that connection is lost. */
const LOST_CONNECTION = ["ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT"];

/** Starts the gateway, says where it is, and stops it on the first signal. */
export async function runUntilStopped(
  settings: Settings,
  { keepTerminals, showsSetupLink }: { keepTerminals: boolean; showsSetupLink: boolean },
): Promise<void> {
  let gateway: RunningGateway | null = null;
  // Before anything that can hang: a start beside a host that hangs is stopped like any other.
  const stop = waitForSignal((why) => endByForce(why, gateway));
  gateway = await startGateway(settings, { terminals: "own-process" });
  outliveFaults(gateway, stop.fail);
  if (gateway.setupLink) {
    print(
      showsSetupLink
        ? `Sign in for the first time (this link works once):\n  ${gateway.setupLink}`
        : `There is no admin yet. Add one: ${BELAY} user add you@example.org --role admin`,
    );
  }
  print(describeNewAgents(gateway.policy.settings));
  print(`Belay is ready at ${gateway.url()}`);

  const cause = await stop.asked;
  print(`${cause.name}: stopping${await sayWhatOf(gateway, keepTerminals)} …`);
  // After a fault the next start finds every terminal where it was.
  await gateway.close({ keepTerminals: keepTerminals || cause.isFault }).finally(stop.done);
  print("Stopped.");
  if (cause.isFault) process.exitCode = 1;
}

interface StopCause {
  name: string;
  isFault: boolean;
}

/** The first signal asks politely and starts the clock; a second one, or the clock, ends it by force. */
function waitForSignal(force: (why: string) => never) {
  let askedAt: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  let ask = (_: StopCause) => {};
  const asked = new Promise<StopCause>((resolve) => {
    ask = (cause) => {
      if (askedAt !== null) return;
      askedAt = performance.now();
      timer = setTimeout(() => force(`it did not stop within ${SHUTDOWN_TIMEOUT_MS / 1000} s`), SHUTDOWN_TIMEOUT_MS);
      resolve(cause);
    };
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (askedAt !== null && performance.now() - askedAt > SAME_SIGNAL_MS) force(`a second ${signal}`);
      ask({ name: signal, isFault: false });
    });
  }
  return {
    asked,
    fail: () => ask({ name: "A fault", isFault: true }),
    done: () => clearTimeout(timer),
  };
}

function endByForce(why: string, gateway: RunningGateway | null): never {
  const pids = gateway?.hostPids() ?? [];
  const left =
    pids.length === 0
      ? ""
      : ` The process that holds the terminals (${pids.join(", ")}) may still run, and they with it: the next start finds them, kill -9 ends them.`;
  process.stderr.write(`belay: ${why}; ending by force.${left}\n`);
  process.exit(1);
}

/** One request that fails in an unforeseen way is no reason to end everybody's work. */
function outliveFaults({ log }: RunningGateway, stop: () => void): void {
  process.on("unhandledRejection", (reason) => log.error({ err: reason }, "a fault, after which it goes on"));
  process.on("uncaughtException", (error: NodeJS.ErrnoException) => {
    if (LOST_CONNECTION.includes(error.code ?? "")) {
      log.error({ err: error }, "a connection was lost");
      return;
    }
    // Something was left half done, and nobody knows what: the terminals go on, and a new start reads what is on disk.
    log.fatal({ err: error }, "a fault, after which nothing is certain; stopping");
    stop();
  });
}

async function sayWhatOf({ terminals }: RunningGateway, keepTerminals: boolean): Promise<string> {
  const listed = await Promise.race([
    terminals.list().catch(() => null),
    delay(COUNT_TIMEOUT_MS, null, { ref: false }),
  ]);
  if (!listed) return "; the terminals do not answer";
  const open = listed.filter(({ state }) => state.status === "running").length;
  return open === 0 ? "" : `, ${keepTerminals ? "keeping" : "ending"} ${open} terminal${open === 1 ? "" : "s"}`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
