import type { Approval } from "@belay/protocol";
import type { Gateway } from "../gateway.ts";

/** The next thing that a person is asked. */
export async function nextApproval(gateway: Pick<Gateway, "events">): Promise<Approval> {
  const ended = new AbortController();
  for await (const { event } of gateway.events.follow(null, ended.signal))
    if (event.type === "approval" && event.event === "asked") return event.approval;
  throw new Error("The events ended.");
}
