import type { Logger } from "pino";
import type { EventBus } from "../events.ts";
import type { Fleet } from "./fleet.ts";

interface Deps {
  fleet: Fleet;
  events: EventBus;
  now: () => number;
  log: Logger;
  /** Closes the records of commands on a machine that an earlier gateway left open: those opened before a time. */
  settle: (machine: string, openedBefore: number) => Promise<void>;
  /** Fetches recordings that the machine still has. */
  bring: (machine: string) => Promise<void>;
}

const RETRY_MS = 5_000;

/** Does what the start of the gateway does for its own terminals, for each machine when it connects. */
export function settleMachines({ fleet, events, now, log, settle, bring }: Deps): () => void {
  const startedAt = now();
  const settled = new Set<string>();
  const retries = new Set<NodeJS.Timeout>();
  const isConnected = (name: string) => fleet.find(name)?.isConnected ?? false;

  async function settleAll(name: string): Promise<void> {
    settled.add(name);
    try {
      await settle(name, startedAt);
    } catch (error) {
      log.warn({ err: error, machine: name }, "commands of a machine could not be settled yet");
      const retry = setTimeout(() => {
        retries.delete(retry);
        if (isConnected(name)) void settleAll(name);
        // The next connection tries again.
        else settled.delete(name);
      }, RETRY_MS);
      retries.add(retry);
    }
  }

  const unsubscribe = events.subscribe((event) => {
    if (event.type !== "machine" || !isConnected(event.name)) return;
    const { name } = event;
    if (!settled.has(name)) void settleAll(name);
    else {
      bring(name).catch((error: unknown) =>
        log.warn({ err: error, machine: name }, "recordings of a machine could not be fetched yet"),
      );
    }
  });
  return () => {
    unsubscribe();
    for (const retry of retries) clearTimeout(retry);
  };
}
