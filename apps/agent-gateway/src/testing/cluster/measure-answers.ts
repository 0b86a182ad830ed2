import { setTimeout as delay } from "node:timers/promises";
import type { ProvedGateway } from "./proved-gateway.ts";

const ANSWERS = 41;

/**
 * How long it takes from an answer at one gateway until the command starts at the other, in ms. Both run on this machine,
 * so the time of the record's row can be compared with the moment of the answer.
 */
export async function measureAnswers(
  asked: ProvedGateway,
  answering: ProvedGateway,
  startedAt: (commandId: string) => Promise<number>,
): Promise<number[]> {
  const { token } = (await asked.call("agents.add", { name: "measured" })) as { token: string };
  const times: number[] = [];
  for (let round = 0; round < ANSWERS; round += 1) {
    const reply = asked.call("terminals.run", { command: "true && some-unknown-program" }, token);
    const { id, commandId } = await nextPending(answering);
    const answeredAt = Date.now();
    await answering.call("approvals.decide", { id, decision: "approve" });
    await reply;
    times.push((await startedAt(commandId)) - answeredAt);
  }
  return times;
}

async function nextPending(gateway: ProvedGateway): Promise<{ id: string; commandId: string }> {
  for (;;) {
    const [first] = (await gateway.call("approvals.list")) as { id: string; commandId: string }[];
    if (first) return first;
    await delay(10);
  }
}
