import type { IncomingHttpHeaders } from "node:http";
import type { Agents } from "../../agents/agents.ts";
import type { Relayed, RelaySeal } from "../../cluster/relay-seal.ts";
import type { Caller } from "../../people/caller.ts";
import type { People } from "../../people/people.ts";

/** Identifies the sender: an agent by token, a person by cookie, or neither. A bad token never falls back to the cookie. */
export async function identify(
  headers: IncomingHttpHeaders,
  deps: { agents: Agents; people: People; relaySeal: RelaySeal | null },
): Promise<Caller> {
  const relayed = deps.relaySeal?.read(headers) ?? null;
  if (relayed && relayed.type !== "own") return callerBehind(relayed, deps);
  const token = bearerOf(headers);
  if (token !== null) {
    const agent = await deps.agents.authenticate(token);
    return agent ? { type: "agent", agent } : { type: "anonymous" };
  }
  if (headers.cookie === undefined) return { type: "anonymous" };
  const found = await deps.people.sessionOf(new Headers({ cookie: headers.cookie }));
  return found ? { type: "person", ...found } : { type: "anonymous" };
}

/** The caller of another gateway, with the rights that they have now. */
async function callerBehind(
  relayed: Exclude<Relayed, { type: "own" }>,
  { agents, people }: { agents: Agents; people: People },
): Promise<Caller> {
  if (relayed.type === "session") {
    const found = await people.findSession(relayed.id);
    return found ? { type: "person", ...found } : { type: "anonymous" };
  }
  const agent = (await agents.list()).find(({ id }) => id === relayed.id);
  return agent && agents.isActive(agent) ? { type: "agent", agent } : { type: "anonymous" };
}

function bearerOf(headers: IncomingHttpHeaders): string | null {
  const match = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "");
  return headers.authorization === undefined ? null : (match?.[1] ?? "");
}
