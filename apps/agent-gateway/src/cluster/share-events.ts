import type { Approval, ApprovalId } from "@belay/protocol";
import type { Logger } from "pino";
import type { Bus } from "../bus/bus.ts";
import type { SentEvent } from "../bus/messages.ts";
import type { EventBus, GatewayEvent } from "../events.ts";

interface Deps {
  bus: Bus;
  events: EventBus;
  readAgain: () => Promise<void>;
  findApproval: (id: ApprovalId) => Promise<Approval | undefined>;
  approvalChanged: (id: ApprovalId) => Promise<void>;
  machineChanged: (name: string) => Promise<void>;
  log: Logger;
}

/** Passes the events of this gateway on to the others, and theirs to the consoles here. */
export function shareEvents({
  bus,
  events,
  readAgain,
  findApproval,
  approvalChanged,
  machineChanged,
  log,
}: Deps): () => void {
  const stopSending = events.subscribe((event) => {
    const sent = toSend(event);
    if (sent) bus.publish({ type: "event", event: sent });
  });
  // One after the other: an approval that was asked and answered must arrive in that order.
  let last = Promise.resolve();
  const stopHearing = bus.subscribe((signal, from) => {
    if (signal.type !== "event" || from === bus.self) return;
    last = last
      .then(() => receive(signal.event))
      .catch((error: unknown) => log.warn({ err: error, from }, "an event of another gateway could not be taken"));
  });
  return () => {
    stopSending();
    stopHearing();
  };

  async function receive(event: SentEvent): Promise<void> {
    if (event.type === "machine") await machineChanged(event.name);
    if (event.type === "policy" || event.type === "freeze") await readAgain();
    if (event.type !== "approval") return events.publish(event, "elsewhere");
    await approvalChanged(event.approvalId);
    const approval = await findApproval(event.approvalId);
    if (approval) events.publish({ type: "approval", event: event.event, approval }, "elsewhere");
  }
}

/** What other gateways need to know; null for what concerns this one only. */
function toSend(event: GatewayEvent): SentEvent | null {
  if (event.type === "hostLost" || event.type === "gateways") return null;
  if (event.type === "approval") return { type: "approval", event: event.event, approvalId: event.approval.id };
  return event;
}
