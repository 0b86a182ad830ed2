import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { z } from "zod";
import { CONVERSATION_HEADER, WORKSPACE_HEADER } from "../conversation.ts";
import { ClientFolder } from "./client-folder.ts";
import { headersFor } from "./headers.ts";
import type { Post } from "./post.ts";

const Id = z.union([z.string(), z.number()]);
const Message = z.looseObject({
  id: Id.optional(),
  method: z.string().optional(),
  params: z.looseObject({}).optional(),
  result: z.looseObject({ protocolVersion: z.string().optional() }).optional(),
});
export type Message = z.infer<typeof Message>;

interface BridgeOptions {
  post: Post;
  output: Writable;
  /** The folder in which the client started this process. */
  startedIn: string;
  /** Each process is a conversation, so its client gets the same shell with every call. */
  conversationId: string;
}

const CONNECTION_FAILED = -32_000;
const PARSE_ERROR = -32_700;

/**
 * Forwards MCP messages between a client on stdio and a gateway behind HTTP.
 *
 * It handles only the differences between the two transports: on stdio a call is cancelled by
 * a message, over HTTP by closing the connection.
 */
export class StdioBridge {
  readonly #post: Post;
  readonly #folder: ClientFolder;
  readonly #conversationId: string;
  readonly #output: Writable;
  readonly #calls = new Map<string | number, AbortController>();
  readonly #ended = new AbortController();
  /** The protocol version that a client of 2025 negotiated. */
  #negotiated: string | null = null;

  constructor({ post, output, startedIn, conversationId }: BridgeOptions) {
    this.#post = post;
    this.#output = output;
    this.#conversationId = conversationId;
    this.#folder = new ClientFolder({ startedIn, askClient: (message) => this.#write(message) });
  }

  /** Serves until the client closes its side. */
  async serve(input: Readable): Promise<void> {
    const open = new Set<Promise<void>>();
    for await (const line of createInterface({ input })) {
      if (line.trim() === "") continue;
      const served = this.#serveLine(line).finally(() => open.delete(served));
      open.add(served);
    }
    this.#ended.abort();
    await Promise.all(open);
  }

  async #serveLine(line: string): Promise<void> {
    const parsed = parseMessage(line);
    if (!parsed) return this.#fail(null, PARSE_ERROR, "That is not a JSON-RPC message.");
    if (parsed.method === "notifications/cancelled") {
      const id = Id.safeParse(parsed.params?.requestId);
      if (id.success) this.#calls.get(id.data)?.abort();
      return;
    }
    if (this.#folder.notice(parsed)) return;
    const isCall = parsed.id !== undefined && parsed.method !== undefined;
    const cancelled = new AbortController();
    if (isCall) this.#calls.set(parsed.id as string | number, cancelled);
    try {
      const signal = AbortSignal.any([cancelled.signal, this.#ended.signal]);
      const headers = { ...headersFor(parsed, this.#negotiated), ...(await this.#conversationHeaders()) };
      await this.#post(line, headers, signal, (message) => this.#forward(message));
    } catch (error) {
      // A cancelled call, or a client that left, gets no answer.
      if (isCall && !cancelled.signal.aborted && !this.#ended.signal.aborted) {
        this.#fail(parsed.id ?? null, CONNECTION_FAILED, error instanceof Error ? error.message : String(error));
      }
    } finally {
      if (isCall) this.#calls.delete(parsed.id as string | number);
    }
  }

  async #conversationHeaders(): Promise<Record<string, string>> {
    const folder = await this.#folder.path();
    return { [CONVERSATION_HEADER]: this.#conversationId, [WORKSPACE_HEADER]: encodeURIComponent(folder) };
  }

  #forward(text: string): void {
    const message: unknown = JSON.parse(text);
    this.#negotiated ??= Message.safeParse(message).data?.result?.protocolVersion ?? null;
    this.#write(message);
  }

  #fail(id: string | number | null, code: number, message: string): void {
    this.#write({ jsonrpc: "2.0", id, error: { code, message } });
  }

  #write(message: unknown): void {
    this.#output.write(`${JSON.stringify(message)}\n`);
  }
}

function parseMessage(line: string): Message | null {
  try {
    return Message.parse(JSON.parse(line));
  } catch {
    return null; // the caller reports it to the client
  }
}
