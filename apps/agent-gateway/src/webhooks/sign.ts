import { createHmac } from "node:crypto";

/**
 * The headers of the Standard Webhooks scheme: receivers verify them with one of
 * its libraries, and refuse old or replayed messages.
 */
export function signedHeaders(message: { id: string; atMs: number; body: string; secret: string }) {
  const timestamp = String(Math.floor(message.atMs / 1000));
  const key = Buffer.from(message.secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(`${message.id}.${timestamp}.${message.body}`).digest("base64");
  return { "webhook-id": message.id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}
