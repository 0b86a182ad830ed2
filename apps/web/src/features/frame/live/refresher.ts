import type { QueryClient, QueryFilters } from "@tanstack/react-query";

/**
 * Fetches queries again when something changed, one fetch at a time.
 *
 * A fetch that was already running when the change came may return the old state, so
 * one more follows it; only one, no matter how many changes come meanwhile.
 */
export class Refresher {
  readonly #queryClient: QueryClient;
  readonly #filter: QueryFilters;
  #isRunning = false;
  #isStale = false;

  constructor(queryClient: QueryClient, filter: QueryFilters) {
    this.#queryClient = queryClient;
    this.#filter = filter;
  }

  async refresh(): Promise<void> {
    this.#isStale = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (this.#isStale) {
        this.#isStale = this.#queryClient.isFetching(this.#filter) > 0;
        await this.#queryClient.invalidateQueries(this.#filter, { cancelRefetch: false });
      }
    } finally {
      this.#isRunning = false;
    }
  }
}
