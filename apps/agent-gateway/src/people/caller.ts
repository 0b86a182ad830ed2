import type { Actor } from "@belay/protocol";
import type { AgentRow } from "../store/tables/agents.ts";
import type { ShareLink } from "../terminals/watching/share-links.ts";
import type { Person, Role, Session } from "./person.ts";

/** Who is asking. Decided once, where the request comes in. */
export type Caller =
  | { type: "anonymous" }
  | { type: "person"; person: Person; session: Session }
  | { type: "agent"; agent: AgentRow }
  /** Whoever has a share link: watches one terminal, and nothing else. */
  | { type: "guest"; link: ShareLink }
  /** A program that can read the control token. It may set things up, and is no person. */
  | { type: "local"; isStopped: boolean };

const rank = { viewer: 0, operator: 1, admin: 2 } satisfies Record<Role, number>;

/** What a person may do includes all that lesser roles may; agents have no role at all. */
export function hasRole(caller: Caller, role: Role): boolean {
  return caller.type === "person" && rank[caller.person.role] >= rank[role];
}

export function actorOf(caller: Exclude<Caller, { type: "anonymous" | "guest" }>): Actor {
  switch (caller.type) {
    case "person":
      return { type: "person", id: caller.person.id };
    case "agent":
      return { type: "agent", id: caller.agent.id };
    case "local":
      return { type: "local" };
  }
}
