import type { IncomingHttpHeaders } from "node:http";
import type { Agents } from "../../agents/agents.ts";
import type { Caller } from "../../people/caller.ts";
import type { People } from "../../people/people.ts";

/** Identifies the sender: an agent by token, a person by cookie, or neither. A bad token never falls back to the cookie. */
export async function identify(
  headers: IncomingHttpHeaders,
  deps: { agents: Agents; people: People },
): Promise<Caller> {
  const token = bearerOf(headers);
  if (token !== null) {
    const agent = await deps.agents.authenticate(token);
    return agent ? { type: "agent", agent } : { type: "anonymous" };
  }
  if (headers.cookie === undefined) return { type: "anonymous" };
  const found = await deps.people.sessionOf(new Headers({ cookie: headers.cookie }));
  return found ? { type: "person", ...found } : { type: "anonymous" };
}

function bearerOf(headers: IncomingHttpHeaders): string | null {
  const match = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "");
  return headers.authorization === undefined ? null : (match?.[1] ?? "");
}
