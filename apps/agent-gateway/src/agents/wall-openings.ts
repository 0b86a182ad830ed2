import type { WallContext } from "@belay/policy";
import type { TerminalInfo, TerminalWall } from "@belay/protocol";
import { type Act, hostOfConnection } from "../commands/act.ts";
import type { Places } from "../machines/places.ts";
import type { Db } from "../store/database.ts";
import type { AgentRow } from "../store/tables/agents.ts";
import { listGrantedTexts } from "../store/tables/approvals.ts";

interface Deps {
  db: Db;
  places: Pick<Places, "wallHomeNames">;
  /** Whether the files of an agent's workspace can be restored. */
  hasUndo: (agent: AgentRow) => boolean;
  now: () => number;
}

/** What the wall around an act lets in and out at this moment, and what Belay keeps for it. */
export class WallOpeningsReader {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Null if there is no wall, or too little is known of it. `on` is the machine that the act runs on. */
  async read(
    wall: TerminalWall | null,
    agent: AgentRow,
    act: Act,
    on: Pick<TerminalInfo, "machine">,
  ): Promise<WallContext | null> {
    if (!wall?.opens) return null;
    const { db, places, hasUndo, now } = this.#deps;
    const homeNames = await places.wallHomeNames(on, agent.id);
    if (homeNames === null) return null;
    const granted = (await listGrantedTexts(db, agent.id, now())).flatMap((text) => hostOfConnection(text) ?? []);
    return {
      network: wall.network,
      openings: {
        ...wall.opens,
        hosts: [...wall.opens.hosts, ...granted],
        homeNames,
        startsPlain: wall.isolation === "sandbox",
        // Shells in containers may run as a user who cannot write into it.
        hasTrash: act.type === "run" && wall.isolation === "sandbox",
        // The history of workspaces is kept for the gateway's own machine alone.
        hasUndo: on.machine === undefined && (act.type === "run" || act.type === "once") && hasUndo(agent),
      },
    };
  }
}
