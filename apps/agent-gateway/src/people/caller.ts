import type { Actor } from "@belay/protocol";
import type { AgentRow } from "../store/tables/agents.ts";
import type { ShareLink } from "../terminals/watching/share-links.ts";
import type { Person, Role, Session } from "./person.ts";

/** Who is making a request. Decided once, when it comes in. */
export type Caller =
  | { type: "anonymous" }
  | { type: "person"; person: Person; session: Session }
  | { type: "agent"; agent: AgentRow }
  /** The holder of a share link: can watch one terminal, and nothing else. */
  | { type: "guest"; link: ShareLink }
  /** A program that can read the control token. It may set things up, but is not a person. */
  | { type: "local"; isStopped: boolean };

const rank = { viewer: 0, operator: 1, admin: 2 } satisfies Record<Role, number>;

/** Each role includes the lower ones; agents have no role. */
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
