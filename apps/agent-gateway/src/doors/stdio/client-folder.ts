import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Message } from "./bridge.ts";

const ROOTS_ID = "belay-roots";
/** A client that does not answer gets its shells where this program was started. */
const ROOTS_TIMEOUT_MS = 1_000;

const RootsResult = z.object({ roots: z.array(z.object({ uri: z.string() })) });

/**
 * The folder that the client works in: the first of its roots, where it offers them, else the folder that it started us in.
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

  /** The folder; a question to the client that is under way is waited for. */
  async path(): Promise<string> {
    await this.#answered?.promise;
    return this.#path;
  }

  /** Watches what the client says; true where the message was an answer for us, and for nobody else. */
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
