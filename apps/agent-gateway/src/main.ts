import { setTimeout as delay } from "node:timers/promises";
import { describeNewAgents } from "./agents/doctor.ts";
import type { Settings } from "./env.ts";
import { BELAY } from "./paths.ts";
import { type RunningGateway, startGateway } from "./start-gateway.ts";

/** After this, a hanging shutdown is forced. */
const SHUTDOWN_TIMEOUT_MS = 5000;
/** npm forwards Ctrl-C although the terminal already sent it to the whole group: a second one this soon is not a request. */
const SAME_SIGNAL_MS = 500;
const COUNT_TIMEOUT_MS = 1000;
/** Errors of a connection whose other end went away while no handler was attached. Only that connection is lost. */
const LOST_CONNECTION = ["ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT"];

/** Starts the gateway, prints its address, and stops it on the first signal. */
export async function runUntilStopped(
  settings: Settings,
  { keepTerminals, showsSetupLink }: { keepTerminals: boolean; showsSetupLink: boolean },
): Promise<void> {
  let gateway: RunningGateway | null = null;
  // Before anything that can hang, so that a start with a hanging host can be stopped like any other.
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
  // After a fault, keep the terminals: the next start finds them.
  await gateway.close({ keepTerminals: keepTerminals || cause.isFault }).finally(stop.done);
  print("Stopped.");
  if (cause.isFault) process.exitCode = 1;
}

interface StopCause {
  name: string;
  isFault: boolean;
}

/** The first signal asks for a clean stop and starts a timer; a second one, or the timer, forces it. */
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
      : ` The process that holds the terminals (${pids.join(", ")}) may still be running with its terminals: the next start finds them, kill -9 ends them.`;
  process.stderr.write(`belay: ${why}; ending by force.${left}\n`);
  process.exit(1);
}

/** An unexpected failure of one request must not end everyone's work. */
function outliveFaults({ log }: RunningGateway, stop: () => void): void {
  process.on("unhandledRejection", (reason) => log.error({ err: reason }, "unhandled rejection; continuing"));
  process.on("uncaughtException", (error: NodeJS.ErrnoException) => {
    if (LOST_CONNECTION.includes(error.code ?? "")) {
      log.error({ err: error }, "a connection was lost");
      return;
    }
    // The state of this process is unknown: keep the terminals running, and let a new start read what is on disk.
    log.fatal({ err: error }, "uncaught exception; stopping");
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
