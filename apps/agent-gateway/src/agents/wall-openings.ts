import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { wallsDirOf } from "@belay/core";
import type { WallContext } from "@belay/policy";
import type { TerminalWall } from "@belay/protocol";
import { type Act, hostOfConnection } from "../commands/act.ts";
import type { Db } from "../store/database.ts";
import type { AgentRow } from "../store/tables/agents.ts";
import { listGrantedTexts } from "../store/tables/approvals.ts";

interface Deps {
  db: Db;
  dataDir: string;
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

  /** Null if there is no wall, or too little is known of it. */
  async read(wall: TerminalWall | null, agent: AgentRow, act: Act): Promise<WallContext | null> {
    if (!wall?.opens) return null;
    const { db, dataDir, hasUndo, now } = this.#deps;
    const home = join(wallsDirOf(dataDir), "homes", agent.id);
    const [names, settingsNames] = await Promise.all([namesIn(home), namesIn(join(home, ".config"))]);
    if (names === null || settingsNames === null) return null;
    const granted = (await listGrantedTexts(db, agent.id, now())).flatMap((text) => hostOfConnection(text) ?? []);
    return {
      network: wall.network,
      openings: {
        ...wall.opens,
        hosts: [...wall.opens.hosts, ...granted],
        homeNames: [...names, ...settingsNames.map((name) => `.config/${name}`)],
        startsPlain: wall.isolation === "sandbox",
        // Shells in containers may run as a user who cannot write into it.
        hasTrash: act.type === "run" && wall.isolation === "sandbox",
        hasUndo: (act.type === "run" || act.type === "once") && hasUndo(agent),
      },
    };
  }
}

/** Null if they cannot be read. */
async function namesIn(folder: string): Promise<string[] | null> {
  try {
    return await readdir(folder);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? [] : null;
  }
}
