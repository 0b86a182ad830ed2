import type { PoolEvent } from "./terminal-pool.ts";

/** The listeners to the events of a pool. */
export class PoolListeners {
  readonly #listeners = new Set<(event: PoolEvent) => void>();

  add(listener: (event: PoolEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(event: PoolEvent): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch (error) {
        // A bug in a listener must surface, but must not stop the caller or keep the event from other listeners.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
