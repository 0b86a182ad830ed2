import {
  awaitMachine,
  CoreError,
  type MachineHost,
  type PoolEvent,
  PROTOCOL,
  type TerminalHost,
  type TerminalPool,
} from "@belay/core";
import type { CloseReason, CommandId, TerminalId, TerminalInfo } from "@belay/protocol";
import type { Logger } from "pino";
import { GatewayError } from "../errors.ts";
import type { Db } from "../store/database.ts";
import { newId } from "../store/new-id.ts";
import { VERSION } from "../version.ts";
import { Homes } from "./homes.ts";
import { isOwnEvent } from "./own-events.ts";

/** The oldest and newest protocol of machines: calls that they need came with version 8. */
export const MACHINE_PROTOCOL = { min: 8, max: PROTOCOL.max };

interface Deps {
  own: TerminalHost;
  db: Db;
  now: () => number;
  log: Logger;
  /** A machine connected, or its connection ended. */
  onChanged: (machine: string, change: { hostId: string } | "disconnected") => void;
}

/**
 * All terminals, on this machine and others, as one host: a call goes to the machine that has the terminal.
 * A machine that is not connected answers nothing; no call ever goes to another one instead.
 */
export class Fleet implements TerminalHost {
  readonly terminals: TerminalPool;
  readonly #deps: Deps;
  readonly #machines = new Map<string, MachineHost>();
  readonly #homes: Homes;
  readonly #listeners = new Set<(event: PoolEvent) => void>();
  /** Which machine reported the end of a command. */
  readonly #reporters = new Map<CommandId, string>();
  /** On which machine a connection from behind a wall waits. */
  readonly #connecting = new Map<CommandId, string>();

  private constructor(deps: Deps, homes: Homes) {
    this.#deps = deps;
    this.#homes = homes;
    this.terminals = this.#pool();
  }

  static async open(deps: Deps): Promise<Fleet> {
    const { db, now, log } = deps;
    const onFailed = (error: unknown) => log.error({ err: error }, "a terminal's machine could not be stored");
    return new Fleet(deps, await Homes.open({ db, now, onFailed }));
  }

  /** Waits for a machine that has joined. `hostId`: the process that held its terminals when it was last connected. */
  expect(name: string, hostId: string | null): MachineHost {
    const found = this.#machines.get(name);
    if (found) return found;
    const { now, log, onChanged } = this.#deps;
    const terminals = this.#homes.openBefore(name);
    const machine = awaitMachine({
      name,
      known: hostId === null ? null : { hostId, terminals },
      protocol: MACHINE_PROTOCOL,
      program: `Belay ${VERSION}`,
      now,
      onConnected: (connectedId) => {
        onChanged(name, { hostId: connectedId });
        this.#endDue(name, machine);
        this.#announce(name, machine);
      },
      onDisconnected: () => {
        onChanged(name, "disconnected");
        this.#announce(name, machine);
      },
      onProblem: (error) => log.warn({ err: error, machine: name }, "problem with a machine"),
    });
    this.#machines.set(name, machine);
    machine.host.terminals.subscribe((event) => this.#hear(name, event));
    return machine;
  }

  /** A revoked machine: its terminals count as ended. */
  drop(name: string): void {
    const machine = this.#machines.get(name);
    // First, so that nothing more is asked of it.
    this.#machines.delete(name);
    machine?.giveUp();
    this.#homes.dropped(name);
  }

  /** The recording of a closed terminal is here, too. */
  settled(id: TerminalId): void {
    this.#homes.settled(id);
  }

  /** Ends a terminal: now, or as soon as its machine is back. Returns whether it has ended. */
  async end(id: TerminalId, reason: CloseReason): Promise<boolean> {
    const name = this.#homes.machineOf(id);
    try {
      if (!this.isAway(id)) {
        await this.terminals.kill(id, { reason });
        return true;
      }
    } catch (error) {
      if (name === null || !isLost(error)) throw error;
    }
    await this.#homes.endLater(id, reason);
    // It may be back by now.
    const machine = this.find(name ?? "");
    if (name !== null && machine?.isConnected) this.#endDue(name, machine);
    return false;
  }

  find(name: string): MachineHost | null {
    return this.#machines.get(name) ?? null;
  }

  /** The machines that are connected now. */
  connected(): string[] {
    return [...this.#machines].filter(([, { isConnected }]) => isConnected).map(([name]) => name);
  }

  /** The host of a terminal's machine, for what is on that machine's disk. */
  hostOf({ machine }: Pick<TerminalInfo, "machine">): TerminalHost {
    return machine === undefined ? this.#deps.own : this.#required(machine).host;
  }

  /** The machine of a terminal; null for this one. */
  machineOf(id: TerminalId): string | null {
    return this.#homes.machineOf(id);
  }

  isAway(id: TerminalId): boolean {
    const name = this.#homes.machineOf(id);
    return name !== null && !(this.#machines.get(name)?.isConnected ?? false);
  }

  snapshot: TerminalHost["snapshot"] = (id, request) => this.#at(id).snapshot(id, request);
  unfinished: TerminalHost["unfinished"] = () => this.#deps.own.unfinished();
  folder: TerminalHost["folder"] = (path) => this.#deps.own.folder(path);
  namedFiles: TerminalHost["namedFiles"] = (command) => this.#deps.own.namedFiles(command);
  readNamedFile: TerminalHost["readNamedFile"] = (file, maxBytes) => this.#deps.own.readNamedFile(file, maxBytes);
  recordingPart: TerminalHost["recordingPart"] = (id, request) => this.#at(id).recordingPart(id, request);
  dropRecording: TerminalHost["dropRecording"] = (id, copied) => this.#at(id).dropRecording(id, copied);
  wallFor: TerminalHost["wallFor"] = (plan) => this.#deps.own.wallFor(plan);
  wallHomeNames: TerminalHost["wallHomeNames"] = (agentId) => this.#deps.own.wallHomeNames(agentId);
  load: TerminalHost["load"] = () => this.#deps.own.load();
  processIds: TerminalHost["processIds"] = () => this.#deps.own.processIds();

  acknowledge: TerminalHost["acknowledge"] = async (commandId) => {
    const name = this.#reporters.get(commandId);
    this.#reporters.delete(commandId);
    // A machine that is away reports the command again when it is back.
    await (name === undefined ? this.#deps.own : this.#required(name).host).acknowledge(commandId);
  };

  problems: TerminalHost["problems"] = async () => {
    const elsewhere = [...this.#machines].map(async ([name, machine]) =>
      machine.isConnected ? (await machine.host.problems().catch(() => [])).map((text) => `${name}: ${text}`) : [],
    );
    return [...(await this.#deps.own.problems()), ...(await Promise.all(elsewhere)).flat()];
  };

  /** Terminals on other machines outlive the gateway: ending it does not end them. */
  close = async (): Promise<void> => {
    await this.#leaveMachines();
    await this.#deps.own.close();
  };

  leave = async (): Promise<void> => {
    await this.#leaveMachines();
    await this.#deps.own.leave();
  };

  async #leaveMachines(): Promise<void> {
    await Promise.all([...this.#machines.values()].map(({ host }) => host.leave()));
  }

  #pool(): TerminalPool {
    const own = this.#deps.own.terminals;
    const at = (id: TerminalId) => this.#at(id).terminals;
    const marked = async (answer: Promise<TerminalInfo>) => this.#mark(await answer);
    return {
      spawn: (request) => this.#spawn(request),
      list: () => this.#list(),
      get: (id) => this.#get(id),
      run: (id, request, signal) => at(id).run(id, request, signal),
      waitFor: (id, commandId, wait, signal) => at(id).waitFor(id, commandId, wait, signal),
      shellState: (id) => at(id).shellState(id),
      write: (id, data) => at(id).write(id, data),
      reader: (id) => at(id).reader(id),
      type: (id, request) => at(id).type(id, request),
      read: (id, request) => at(id).read(id, request),
      history: (id, maxBytes) => at(id).history(id, maxBytes),
      ports: (id) => this.#ports(id),
      openPort: async (id, port) => {
        const name = this.#homes.machineOf(id);
        if (name === null) return own.openPort(id, port);
        throw new GatewayError("not-on-this-machine", notOpened(name));
      },
      answerConnection: (id, answer) => this.#answerConnection(id, answer),
      resize: (id, size) => at(id).resize(id, size),
      promote: (id) => marked(at(id).promote(id)),
      borrow: (id) => marked(at(id).borrow(id)),
      handBack: (id) => marked(at(id).handBack(id)),
      kill: (id, request) => at(id).kill(id, request),
      follow: (id, fromPosition, consumer) => at(id).follow(id, fromPosition, consumer),
      lastKnown: (id) => {
        const known = at(id).lastKnown(id);
        return known && this.#mark(known);
      },
      subscribe: (listener) => {
        this.#listeners.add(listener);
        const stop = own.subscribe(listener);
        return () => {
          this.#listeners.delete(listener);
          stop();
        };
      },
      close: () => this.close(),
    };
  }

  async #spawn({ machine: name, ...request }: Parameters<TerminalPool["spawn"]>[0]): Promise<TerminalInfo> {
    if (name === undefined) return this.#deps.own.terminals.spawn(request);
    const machine = this.#required(name);
    if (!machine.isReachable) throw machine.away();
    const id = request.id ?? newId("pty");
    await this.#homes.add(id, name);
    try {
      return this.#mark(await machine.host.terminals.spawn({ ...request, id }));
    } catch (error) {
      // Whether it started is unknown if the answer was lost; then it is listed once the machine is back.
      if (!(error instanceof CoreError) || error.code !== "host-lost") await this.#homes.remove(id);
      throw error;
    }
  }

  async #answerConnection(...[id, answer]: Parameters<TerminalPool["answerConnection"]>): Promise<boolean> {
    const name = this.#connecting.get(id);
    this.#connecting.delete(id);
    const { terminals } = name === undefined ? this.#deps.own : this.#required(name).host;
    return terminals.answerConnection(id, answer);
  }

  async #ports(id: TerminalId): ReturnType<TerminalPool["ports"]> {
    const ports = await this.#at(id).terminals.ports(id);
    const name = this.#homes.machineOf(id);
    return name === null ? ports : ports.map((port) => ({ ...port, closedBecause: notOpened(name) }));
  }

  async #list(): Promise<TerminalInfo[]> {
    const elsewhere = [...this.#machines.values()].map(async (machine) =>
      machine.isReachable ? machine.host.terminals.list().catch(() => machine.known()) : machine.known(),
    );
    const lists = await Promise.all([this.#deps.own.terminals.list(), ...elsewhere]);
    return lists.flat().map((terminal) => this.#mark(terminal));
  }

  async #get(id: TerminalId): Promise<TerminalInfo> {
    const name = this.#homes.machineOf(id);
    const machine = name === null ? null : this.#required(name);
    if (!machine) return this.#deps.own.terminals.get(id);
    const known = machine.isReachable ? null : machine.lastKnown(id);
    return this.#mark(known ?? (await machine.host.terminals.get(id)));
  }

  #at(id: TerminalId): TerminalHost {
    const name = this.#homes.machineOf(id);
    return name === null ? this.#deps.own : this.#required(name).host;
  }

  #required(name: string): MachineHost {
    const machine = this.#machines.get(name);
    if (machine) return machine;
    throw new CoreError(
      "machine-not-found",
      `There is no machine "${name}", or it was revoked. List the machines to see their names.`,
    );
  }

  #mark(terminal: TerminalInfo): TerminalInfo {
    const name = this.#homes.machineOf(terminal.id);
    if (name === null) return terminal;
    const isOpen = terminal.state.status !== "closed";
    const isAway = isOpen && !this.#machines.get(name)?.isConnected;
    const reason = isOpen ? this.#homes.endReason(terminal.id) : undefined;
    return {
      ...terminal,
      machine: name,
      ...(isAway ? { isAway: true as const } : {}),
      // It is not used any more, even while its machine is away.
      ...(reason === undefined ? {} : { state: { status: "closing" as const, reason } }),
    };
  }

  #hear(name: string, event: PoolEvent): void {
    // How each of its terminals ended was reported before.
    if (event.type === "hostLost") return;
    const isThere = (id: TerminalId) => this.#homes.machineOf(id) === name;
    const terminals = () => this.#machines.get(name)?.known() ?? [];
    if (!isOwnEvent(event, { isThere, terminals, hasAsked: (id) => this.#connecting.get(id) === name })) return;
    if (event.type === "commandFinished") this.#reporters.set(event.report.commandId, name);
    if (event.type === "connectionAsked") this.#connecting.set(event.connection.id, name);
    if ("terminal" in event) {
      const { terminal } = event;
      if (event.type === "created") this.#homes.started(terminal);
      if (event.type === "closed") this.#homes.closed(terminal.id);
      this.#emit({ ...event, terminal: this.#mark(terminal) });
    } else this.#emit(event);
  }

  /** What was to end while the machine was away. If it is lost again, its next connection tries again. */
  #endDue(name: string, machine: MachineHost): void {
    for (const [id, reason] of this.#homes.due(name)) {
      machine.host.terminals.kill(id, { reason }).then(
        ({ existed }) => existed || this.#homes.closed(id),
        (error: unknown) => this.#deps.log.warn({ err: error, terminalId: id }, "a terminal could not be ended yet"),
      );
    }
  }

  /** Its terminals are away now, or back. */
  #announce(name: string, machine: MachineHost): void {
    for (const terminal of machine.known()) {
      if (this.#homes.machineOf(terminal.id) === name) this.#emit({ type: "changed", terminal: this.#mark(terminal) });
    }
  }

  #emit(event: PoolEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }
}

function isLost(error: unknown): boolean {
  return error instanceof CoreError && (error.code === "host-lost" || error.code === "machine-away");
}

function notOpened(machine: string): string {
  return `It is on the machine "${machine}", and only ports of the gateway's own machine can be opened in the console.`;
}
