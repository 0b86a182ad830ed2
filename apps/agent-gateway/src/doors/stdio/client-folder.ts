import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Message } from "./bridge.ts";

const ROOTS_ID = "belay-roots";
/** If the client does not answer, its shells start in this process's folder. */
const ROOTS_TIMEOUT_MS = 1_000;

const RootsResult = z.object({ roots: z.array(z.object({ uri: z.string() })) });

/**
 * The client's folder: the first of its roots, if it offers them, otherwise the folder in which it started this process.
 */
export class ClientFolder {
  readonly #askClient: (message: unknown) => void;
  #path: string;
  #offersRoots = false;
  #answered: { promise: Promise<void>; resolve(): void } | null = null;

  constructor({ startedIn, askClient }: { startedIn: string; askClient: (message: unknown) => void }) {
    this.#path = startedIn;
    this.#askClient = askClient;
  }

  /** The folder; waits for a pending request to the client. */
  async path(): Promise<string> {
    await this.#answered?.promise;
    return this.#path;
  }

  /** Inspects the client's messages; true if the message was a response to our own request. */
  notice({ id, method, params, result }: Message): boolean {
    if (method === "initialize") {
      this.#offersRoots = (params?.capabilities as Record<string, unknown> | undefined)?.roots !== undefined;
    }
    if (method === "notifications/initialized" || method === "notifications/roots/list_changed") this.#ask();
    if (method !== undefined || id !== ROOTS_ID) return false;
    this.#path = firstFolder(result) ?? this.#path;
    this.#answered?.resolve();
    return true;
  }

  #ask(): void {
    if (!this.#offersRoots) return;
    let resolve = () => {};
    const promise = new Promise<void>((done) => {
      resolve = done;
    });
    setTimeout(resolve, ROOTS_TIMEOUT_MS).unref();
    this.#answered = { promise, resolve };
    this.#askClient({ jsonrpc: "2.0", id: ROOTS_ID, method: "roots/list" });
  }
}

function firstFolder(result: unknown): string | null {
  const roots = RootsResult.safeParse(result).data?.roots ?? [];
  const root = roots.find(({ uri }) => uri.startsWith("file://"));
  try {
    return root ? fileURLToPath(root.uri) : null;
  } catch {
    return null; // a file on another machine
  }
}
