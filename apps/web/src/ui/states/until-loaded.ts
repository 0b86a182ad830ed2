const FIRST_WAIT_MS = 500;
const LAST_WAIT_MS = 8_000;
/** For two minutes or so: longer than a restart of the gateway takes. */
const MAX_TRIES = 20;

/**
 * Loads a part of a page that is loaded on its own, and tries again while the gateway cannot be reached. A part that
 * fails to load would take the whole page with it.
 */
export function untilLoaded<Part>(load: () => Promise<Part>): () => Promise<Part> {
  return async () => {
    for (let tries = 1, waitMs = FIRST_WAIT_MS; ; tries += 1, waitMs = Math.min(2 * waitMs, LAST_WAIT_MS)) {
      try {
        return await load();
      } catch (error) {
        if (tries === MAX_TRIES) throw error;
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    }
  };
}
