import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { z } from "zod";

/** A client that is there sends its requests at once, and leaves when it has read the answer. */
const WAIT_MS = 5_000;
const CONNECTION_FAILED = -32_000;

const Request = z.looseObject({ id: z.union([z.string(), z.number()]), method: z.string() });

/**
 * Answers the client's requests with the reason why it cannot be served, until it leaves. Without that, most clients
 * would say only that the connection was closed, and few people look for a server's own messages.
 */
export async function refuseClient(
  reason: string,
  { stdin, stdout }: { stdin: Readable & { isTTY?: boolean }; stdout: Writable },
): Promise<void> {
  if (stdin.isTTY) return;
  const lines = createInterface({ input: stdin });
  const timer = setTimeout(() => lines.close(), WAIT_MS);
  for await (const line of lines) {
    timer.refresh();
    const request = Request.safeParse(parsed(line));
    if (!request.success) continue;
    const error = { code: CONNECTION_FAILED, message: reason };
    stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: request.data.id, error })}\n`);
  }
  clearTimeout(timer);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
