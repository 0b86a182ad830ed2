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

/** Does what the start of the gateway does for its own terminals, for each machine when it connects. */
export function settleMachines({ fleet, events, now, log, settle, bring }: Deps): () => void {
  const startedAt = now();
  const settled = new Set<string>();
  return events.subscribe((event) => {
    if (event.type !== "machine" || !fleet.find(event.name)?.isConnected) return;
    const { name } = event;
    const isFirst = !settled.has(name);
    settled.add(name);
    (isFirst ? settle(name, startedAt) : bring(name)).catch((error: unknown) => {
      // The connection broke again: the next one tries again.
      if (isFirst) settled.delete(name);
      log.warn({ err: error, machine: name }, "commands of a machine could not be settled yet");
    });
  });
}
