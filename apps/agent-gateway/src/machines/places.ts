import { resolve } from "node:path";
import { findFolder, readNamedFile, type TerminalHost } from "@belay/core";
import type { JudgeContext } from "@belay/policy";
import type { NamedFile, TerminalInfo } from "@belay/protocol";
import { GatewayError } from "../errors.ts";
import type { AgentRow } from "../store/tables/agents.ts";
import type { Fleet } from "./fleet.ts";
import type { Machines } from "./machines.ts";
import { machinesOf, OWN_MACHINE } from "./own-machine.ts";

type Bound = Pick<AgentRow, "machines" | "workspace">;

/** A machine: not set for the gateway's own. */
type On = Pick<TerminalInfo, "machine">;

/** Where an agent's terminals are: which machine, and what the judge has to know about it. */
export class Places {
  readonly #deps: { fleet: Fleet; machines: Pick<Machines, "factsOf">; workspace: string };

  constructor(deps: { fleet: Fleet; machines: Pick<Machines, "factsOf">; workspace: string }) {
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
    if (!machine.isConnected) throw machine.away();
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
    if (machine && !machine.isConnected) throw machine.away();
  }

  /** A folder as its machine sees it: the real path, and its identity. `within` is relative to the shell's own folder. */
  async folderOf(terminal: TerminalInfo, within = ""): Promise<{ cwd: string; folder: string | null }> {
    const { cwd, folderId, wall } = terminal;
    if (within === "" || resolve(cwd, within) === cwd)
      return { cwd, folder: folderId ?? (wall ? null : (await this.#on(terminal).folder(cwd)).id) };
    const { path, id } = await this.#on(terminal).folder(resolve(cwd, within));
    // Behind a wall, a path may mean a different folder than outside.
    if (path === cwd && folderId !== undefined) return { cwd, folder: folderId };
    return { cwd: path, folder: wall ? null : id };
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
