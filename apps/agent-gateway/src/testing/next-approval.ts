import type { Approval } from "@belay/protocol";
import type { TestGateway } from "./start-test-gateway.ts";

/** The next pending approval. */
export function nextApproval(gateway: TestGateway): Promise<Approval> {
  const ended = new AbortController();
  const events = gateway.events.follow(null, ended.signal);
  return (async () => {
    for await (const { event } of events)
      if (event.type === "approval" && event.event === "asked") return event.approval;
    throw new Error("The events ended.");
  })();
}
