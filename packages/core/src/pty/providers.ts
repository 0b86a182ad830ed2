import type { ResourceLimits } from "@belay/protocol";
import { CoreError } from "../errors.ts";
import type { HeldLimits } from "../limits/resource-limiter.ts";
import type { OpenPty } from "./pty.ts";

/** A way to run programs: directly on this machine, or behind a wall. */
export interface Provider {
  readonly name: string;
  readonly openPty: OpenPty;
  /** Set if the provider enforces limits itself, by the name that a terminal was started with. */
  readonly holdLimits?: (name: string, limits: ResourceLimits) => HeldLimits;
}

/** The providers of one pool, by name. An unknown one is an error, never a fallback. */
export class ProviderRegistry {
  readonly #byName = new Map<string, Provider>();

  register(provider: Provider): void {
    if (this.#byName.has(provider.name)) throw new Error(`A provider "${provider.name}" is already registered.`);
    this.#byName.set(provider.name, provider);
  }

  get names(): string[] {
    return [...this.#byName.keys()];
  }

  find(name: string): Provider {
    const provider = this.#byName.get(name);
    if (provider) return provider;
    throw new CoreError(
      "spawn-failed",
      `No provider "${name}". This pool has: ${this.names.join(", ")}. Nothing was started.`,
    );
  }
}

/** Opens a PTY, and reports a system error in our own words. */
export function openPtyOf({ name, openPty }: Provider): OpenPty {
  return (options, events) => {
    try {
      return openPty(options, events);
    } catch (error) {
      if (error instanceof CoreError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new CoreError("spawn-failed", `The system opened no terminal (provider "${name}"): ${reason}`, {
        cause: error,
      });
    }
  };
}
