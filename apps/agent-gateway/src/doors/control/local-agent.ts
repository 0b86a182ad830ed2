import { z } from "zod";
import { GatewayError } from "../../errors.ts";
import type { Gateway } from "../../gateway.ts";
import type { AgentRow } from "../../store/tables/agents.ts";

const AgentName = z.string().regex(/^[\w.-]{1,64}$/, "An agent's name here has letters, digits, dots and dashes.");

/**
 * The agent that a program on this machine claims to be. A program that can read the control token needs no other
 * token, which would only be one more secret to store. A new name is added with the default profile.
 */
export async function findLocalAgent(gateway: Pick<Gateway, "agents">, asked: unknown): Promise<AgentRow> {
  const name = AgentName.parse(asked);
  const known = (await gateway.agents.list()).find((agent) => agent.name === name);
  if (!known) {
    const { token: _, ...agent } = await gateway.agents.add({ name }, { type: "local" });
    return agent;
  }
  if (gateway.agents.isActive(known)) return known;
  throw new GatewayError(
    "bad-token",
    `The agent "${name}" was revoked or has expired. Name another with --agent NAME.`,
  );
}
