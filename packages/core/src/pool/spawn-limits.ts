import type { TerminalId } from "@belay/protocol";
import { CoreError } from "../errors.ts";
import type { SpawnQuota, SpawnRequest } from "./requests.ts";

const MINUTE_MS = 60_000;

export interface SpawnCounts {
  maxTerminals: number;
}

/** Limits the number of terminals and how fast they are started. Throws errors with a message for the caller. */
export class SpawnLimits {
  readonly #limits: SpawnCounts;
  readonly #now: () => number;
  readonly #open = new Map<TerminalId, SpawnRequest>();
  /** When each quota was used, within the last minute. */
  readonly #spawnedAt = new Map<string, number[]>();

  /** `now` is a monotonic clock. */
  constructor(limits: SpawnCounts, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Reserves a place before anything is started, so that two concurrent calls cannot both get the last one. */
  take(id: TerminalId, request: SpawnRequest): void {
    const { agentId, name, quota, maxOpenOfAgent = Number.POSITIVE_INFINITY } = request;
    const open = [...this.#open.values()];
    if (this.#open.has(id)) throw new CoreError("name-taken", `A terminal "${id}" already exists.`);
    if (open.length >= this.#limits.maxTerminals) {
      throw new CoreError("pool-full", `All ${this.#limits.maxTerminals} terminals are in use. Close one first.`);
    }
    if (agentId !== null) {
      const own = open.filter((other) => other.agentId === agentId);
      if (own.length >= maxOpenOfAgent) {
        throw new CoreError("pool-full", `This agent has ${own.length} terminals, the most it may. Close one first.`);
      }
      if (name !== null && own.some((other) => other.name === name)) {
        throw new CoreError(
          "name-taken",
          `This agent already has a terminal "${name}". Use it, or choose another name.`,
        );
      }
    }
    if (quota) this.#draw(quota, open);
    this.#open.set(id, request);
  }

  giveBack(id: TerminalId): void {
    this.#open.delete(id);
  }

  #draw({ key, maxOpen, maxPerMinute }: SpawnQuota, open: SpawnRequest[]): void {
    const now = this.#now();
    const recent = (this.#spawnedAt.get(key) ?? []).filter((at) => now - at < MINUTE_MS);
    if (open.filter((other) => other.quota?.key === key).length >= maxOpen) {
      throw new CoreError(
        "quota-full",
        `${maxOpen} background terminals are open, the most there may be. Close one first.`,
      );
    }
    const [oldest] = recent;
    if (recent.length >= maxPerMinute && oldest !== undefined) {
      const waitSeconds = Math.ceil((MINUTE_MS - (now - oldest)) / 1000);
      throw new CoreError(
        "spawn-rate-exceeded",
        `${maxPerMinute} terminals were started within a minute, the most there may be. Try again in ${waitSeconds} s.`,
      );
    }
    this.#spawnedAt.set(key, [...recent, now]);
  }
}
