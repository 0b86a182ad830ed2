import type { AuditLog } from "../audit-log.ts";
import type { Verification } from "../verify.ts";

export type VerifyStep = { type: "reading"; rows: number; of: number } | { type: "done"; result: Verification };

const TELL_EVERY_MS = 200;

/** Verifies the whole record and reports progress. */
export async function* verifyInSteps(audit: AuditLog, signal: AbortSignal): AsyncGenerator<VerifyStep> {
  const of = await audit.count();
  let rows = 0;
  const result = audit.verify([], () => {
    rows += 1;
    if (signal.aborted) throw new Error("The caller no longer waits for the result.");
  });
  result.catch(() => {}); // reported below, unless the caller has gone
  yield { type: "reading", rows, of };
  while (!signal.aborted) {
    const done = await Promise.race([result, soon()]);
    if (done !== null) {
      yield { type: "done", result: done };
      return;
    }
    yield { type: "reading", rows, of };
  }
}

function soon(): Promise<null> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(null), TELL_EVERY_MS);
  });
}
