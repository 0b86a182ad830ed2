import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { AddressGuard } from "./address-guard.ts";

const TIMEOUT_MS = 10_000;

export type Delivered = { ok: true } | { ok: false; problem: string; isFinal: boolean };

/** Sends one message. Redirects are not followed, because they could lead to internal addresses. */
export function post(
  url: URL,
  guard: AddressGuard,
  message: { headers: Record<string, string>; body: string },
): Promise<Delivered> {
  const objection = guard.objectionTo(url);
  if (objection) return Promise.resolve({ ok: false, problem: objection, isFinal: true });
  const request = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    const sent = request(
      url,
      {
        method: "POST",
        agent: false,
        lookup: guard.lookupFor(url),
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(message.body),
          "user-agent": "Belay",
          ...message.headers,
        },
      },
      (response) => {
        response.resume();
        resolve(judgeStatus(response.statusCode ?? 0));
      },
    );
    sent.on("error", (error) => resolve({ ok: false, problem: error.message, isFinal: false }));
    sent.end(message.body);
  });
}

function judgeStatus(status: number): Delivered {
  if (status >= 200 && status < 300) return { ok: true };
  // Overloaded or timed out: retry later. Any other status is a deliberate answer.
  const isFinal = status < 500 && status !== 408 && status !== 425 && status !== 429;
  return { ok: false, problem: `The receiver answered ${status}.`, isFinal };
}
