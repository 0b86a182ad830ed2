import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findFolder, namesInWallHome, readNamedFile, type TerminalHost, wallsDirOf } from "@belay/core";
import type { JudgeContext } from "@belay/policy";
import type { AgentId, NamedFile, TerminalId, TerminalInfo } from "@belay/protocol";
import { GatewayError } from "../errors.ts";
import type { AgentRow } from "../store/tables/agents.ts";
import type { Fleet } from "./fleet.ts";
import type { Machines } from "./machines.ts";
import { machinesOf, OWN_MACHINE } from "./own-machine.ts";

type Bound = Pick<AgentRow, "machines" | "workspace">;

/** A machine: not set for the gateway's own. */
type On = Pick<TerminalInfo, "machine">;

interface Deps {
  fleet: Fleet;
  machines: Pick<Machines, "factsOf">;
  /** Of the gateway's own machine. */
  workspace: string;
  dataDir: string;
}

/** A wall is built in milliseconds; on a busy machine a container may take seconds. */
const LOOK_EVERY_MS = 5;
const MAX_LOOKS = 1_000;

/** Where an agent's terminals are: which machine, and what the judge has to know about it. */
export class Places {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Where a new terminal of an agent starts: on the machine that it chose, or else on its first one. Throws if it may not. */
  startOf(agent: Bound, chosen?: string | undefined): On & { cwd: string } {
    const allowed = machinesOf(agent);
    const name = chosen ?? allowed[0];
    if (!allowed.includes(name)) {
      throw new GatewayError(
        "not-on-this-machine",
        `This agent may not use the machine "${name}". It may use: ${allowed.join(", ")}. An admin can change that.`,
      );
    }
    return name === OWN_MACHINE ? { cwd: agent.workspace ?? this.#deps.workspace } : this.startFor(name);
  }

  /** Where a terminal on a machine starts; unset: the gateway's own. */
  startFor(name: string | undefined): On & { cwd: string } {
    if (name === undefined || name === OWN_MACHINE) return { cwd: this.#deps.workspace };
    const facts = this.#deps.machines.factsOf(name);
    const machine = this.#deps.fleet.find(name);
    if (!machine || !facts) {
      throw new GatewayError(
        "machine-not-found",
        `The machine "${name}" has not joined this gateway, or was revoked, so nothing was started. Ask an admin.`,
      );
    }
    if (!machine.isReachable) throw machine.away();
    return { machine: name, cwd: facts.workspace };
  }

  /** Refuses what only works on the gateway's own machine, for an agent whose programs run elsewhere. */
  requireOwn(agent: Bound, what: string): void {
    const [first] = machinesOf(agent);
    if (first === OWN_MACHINE) return;
    throw new GatewayError(
      "not-on-this-machine",
      `${what} runs on the gateway's own machine only, and this agent works on "${first}". Nothing ran. Use a terminal there.`,
    );
  }

  /** A terminal that can be used now. One on a machine that is away, or not this agent's any more, cannot. */
  requireUsable(agent: Bound, terminal: TerminalInfo): void {
    const name = terminal.machine ?? OWN_MACHINE;
    if (!machinesOf(agent).includes(name)) {
      throw new GatewayError(
        "not-on-this-machine",
        `This agent may no longer use the machine "${name}", on which ${terminal.id} is. Use another terminal.`,
      );
    }
    const machine = terminal.machine === undefined ? null : this.#deps.fleet.find(terminal.machine);
    if (machine && !machine.isReachable) throw machine.away();
  }

  /** A folder as its machine sees it: the real path, and its identity. `within` is relative to the shell's own folder. */
  async folderOf(given: TerminalInfo, within = ""): Promise<{ cwd: string; folder: string | null }> {
    const terminal = await this.#onceItHasFolder(given);
    const { cwd, folderId, wall } = terminal;
    if (within === "" || resolve(cwd, within) === cwd)
      return { cwd, folder: folderId ?? (wall ? null : (await this.#on(terminal).folder(cwd)).id) };
    const { path, id } = await this.#on(terminal).folder(resolve(cwd, within));
    // Behind a wall, a path may mean a different folder than outside.
    if (path === cwd && folderId !== undefined) return { cwd, folder: folderId };
    return { cwd: path, folder: wall ? null : id };
  }

  /**
   * Waits for the first prompt of a shell behind a wall: its folder is not known before, and a person who approves a
   * command would be asked again, because the folder seems to have changed. Running the command would wait as well.
   */
  async #onceItHasFolder(terminal: TerminalInfo): Promise<TerminalInfo> {
    let now = terminal;
    for (let looks = 0; looks < MAX_LOOKS && isBuildingWall(now); looks++) {
      if (looks > 0) await delay(LOOK_EVERY_MS);
      now = await this.#deps.fleet.terminals.get(terminal.id);
    }
    return now;
  }

  /** The machine of a terminal that may be gone; unset: the gateway's own. */
  machineOf(id: TerminalId | null): On {
    const machine = id === null ? null : this.#deps.fleet.machineOf(id);
    return machine === null ? {} : { machine };
  }

  /** The names in the home that an agent has behind its wall there; null if they are not known. */
  async wallHomeNames(on: On, agentId: AgentId): Promise<string[] | null> {
    if (on.machine === undefined) return namesInWallHome(wallsDirOf(this.#deps.dataDir), agentId);
    return this.#on(on)
      .wallHomeNames(agentId)
      .catch(() => null);
  }

  /** A folder by its path alone. */
  async folderAt(on: On, path: string): Promise<{ cwd: string; folder: string | null }> {
    const found = on.machine === undefined ? await findFolder(path) : await this.#on(on).folder(path);
    return { cwd: found.path, folder: found.id };
  }

  /** What differs on another machine from the gateway's own: folders, the user, and Belay's own files there. */
  contextOf({ machine }: On): Partial<JudgeContext> {
    const facts = machine === undefined ? null : this.#deps.machines.factsOf(machine);
    if (machine === undefined || !facts) return {};
    const processIds = this.#deps.fleet.find(machine)?.host.processIds() ?? [];
    return {
      workspace: facts.workspace,
      home: facts.home,
      user: facts.user,
      own: { paths: [facts.dataDir], processIds, ports: [] },
    };
  }

  namedFiles(on: On, command: Parameters<TerminalHost["namedFiles"]>[0]): ReturnType<TerminalHost["namedFiles"]> {
    return this.#on(on).namedFiles(command);
  }

  /** The content of a file that a command names, on the machine that runs it. */
  async readNamedFile(on: { machine?: string | undefined }, file: NamedFile, maxBytes: number) {
    const { machine } = on;
    return machine === undefined ? readNamedFile(file, maxBytes) : this.#on({ machine }).readNamedFile(file, maxBytes);
  }

  #on(on: On): TerminalHost {
    return this.#deps.fleet.hostOf(on);
  }
}

function isBuildingWall({ wall, isStarting, state }: TerminalInfo): boolean {
  return wall !== undefined && isStarting === true && (state.status === "starting" || state.status === "running");
}
