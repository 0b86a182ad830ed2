import { setTimeout as delay } from "node:timers/promises";
import type { CommandId, CommandReport, TerminalId, TerminalInfo } from "@belay/protocol";
import { CoreError } from "../../errors.ts";
import type { Method, UnfinishedCommands } from "../../pool/calls.ts";
import { PoolListeners } from "../../pool/pool-listeners.ts";
import type { OutputConsumer, OutputSubscription, PoolEvent } from "../../pool/terminal-pool.ts";
import { AnnouncedConnections } from "./announced-connections.ts";
import { type ConnectionEvents, ConnectionLostError, type HostConnection } from "./connection.ts";
import { HostStreams } from "./host-streams.ts";
import { KnownTerminals } from "./known-terminals.ts";

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;
const MAX_ATTEMPTS = 5;
const NEW_SOCKET_MS = 500;
/** How long a call waits for a host that is starting. */
const HOST_TIMEOUT_MS = 15_000;

export interface LinkOptions {
  /** Connects to a host; null if there is none. */
  connect: (events: ConnectionEvents) => Promise<HostConnection | null>;
  /** Starts a host if there is none, and resolves when it is ready. */
  launch: () => Promise<void>;
  /** Set for a host on another machine, which opens the connections itself. */
  machine?: MachineOptions;
  now: () => number;
  onProblem: (error: Error) => void;
}

interface MachineOptions {
  /** The error with which calls fail at once while the machine is not connected. */
  away: () => CoreError;
  /** What an earlier gateway knew about its host. */
  known: { hostId: string; terminals: TerminalInfo[] } | null;
  /** Resolves once a connection that the machine has just made carries calls, or has failed; null if there is none. */
  arriving: () => Promise<void> | null;
  onConnected: (connection: HostConnection) => void;
  onDisconnected: () => void;
}

/**
 * The link to a host, across connections and hosts.
 *
 * 1. Connects to an existing host; starts one if there is none.
 * 2. Reconnects if a connection breaks while the host is alive, and resumes streams
 *    where they stopped.
 * 3. When the host has died, reports how each terminal ended, then that the host
 *    was lost; then starts a new one.
 */
export class HostLink {
  readonly #options: LinkOptions;
  readonly #known = new KnownTerminals();
  readonly #listeners = new PoolListeners();
  readonly #announced = new AnnouncedConnections();
  readonly #streams = new HostStreams(this.#known, () => this.#connection);
  /** The results of commands whose host is gone. */
  readonly #lostReports = new Map<CommandId, CommandReport>();
  #connection: Promise<HostConnection>;
  /** The open connection, if there is one: then calls need not wait. */
  #live: HostConnection | null = null;
  #isClosed = false;

  private constructor(options: LinkOptions) {
    this.#options = options;
    const known = options.machine?.known;
    if (known) this.#known.reset(known.terminals);
    this.#connection = this.#use(known ? this.#reconnect(known.hostId) : this.#open());
  }

  /** A link to a host that opens the connections itself. */
  static await(options: LinkOptions & { machine: MachineOptions }): HostLink {
    return new HostLink(options);
  }

  static async open(options: LinkOptions): Promise<HostLink> {
    const link = new HostLink(options);
    await link.#connection;
    return link;
  }

  async call(method: Method, args: readonly unknown[], signal?: AbortSignal): Promise<unknown> {
    if (method === "answerConnection") this.#announced.answered(args[0] as CommandId);
    const connection = await this.#connected();
    try {
      return await connection.call(method, args, signal);
    } catch (error) {
      if (!(error instanceof ConnectionLostError)) throw error;
      throw new CoreError("host-lost", "The host of the terminals went away before it answered.", { cause: error });
    }
  }

  /** The result of a command whose host died, once that is known; null if it is still running. */
  async reportOfLost(commandId: CommandId): Promise<CommandReport | null> {
    // A machine may be away for a long time while its command continues.
    await (this.#options.machine ? this.#connection : this.#connected());
    return this.#lostReports.get(commandId) ?? null;
  }

  lastKnown(id: TerminalId): TerminalInfo | null {
    return this.#known.find(id);
  }

  /** All open terminals in their last known state. */
  allKnown(): TerminalInfo[] {
    return this.#known.all();
  }

  get isLive(): boolean {
    return this.#live !== null;
  }

  /** Its host will not come back: everything in it counts as ended. */
  giveUp(): void {
    this.#isClosed = true;
    this.#live?.destroy();
    this.#lost();
  }

  reached(id: TerminalId, position: number): void {
    this.#known.reached(id, position);
  }

  follow(id: TerminalId, fromPosition: number, consumer: OutputConsumer): OutputSubscription {
    return this.#streams.follow(id, fromPosition, consumer);
  }

  /** Empty while there is no host. */
  processIds(): number[] {
    return this.#live ? [this.#live.hostPid] : [];
  }

  subscribe(listener: (event: PoolEvent) => void): () => void {
    const unsubscribe = this.#listeners.add(listener);
    for (const event of this.#announced.events) listener(event);
    return unsubscribe;
  }

  /** Makes the host end everything, and itself. */
  async endHost(): Promise<void> {
    const connection = await this.#connected();
    this.#isClosed = true;
    // A host that died meanwhile has ended everything too.
    await connection.call("close", []).catch((error: unknown) => {
      if (!(error instanceof ConnectionLostError)) throw error;
    });
    connection.close();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    // A connection that is still being made is closed later.
    const closed = this.#connection.then((connection) => connection.close()).catch(() => {});
    if (this.#live) await closed;
  }

  async #connected(): Promise<HostConnection> {
    if (this.#isClosed) throw new CoreError("pool-closed", "The connection to the terminals is closed.");
    if (this.#live) return this.#live;
    if (this.#options.machine) return this.#arrived(this.#options.machine);
    const abort = new AbortController();
    const tooLate = delay(HOST_TIMEOUT_MS, null, { signal: abort.signal }).catch(() => null);
    const connection = await Promise.race([this.#connection, tooLate]);
    abort.abort();
    if (connection) return connection;
    throw new CoreError("host-lost", "There is no host for terminals, and none could be started. The log says why.");
  }

  /** The machine counts as connected from when it was let in, so calls wait until its connection is set up. */
  async #arrived({ arriving, away }: MachineOptions): Promise<HostConnection> {
    await arriving();
    if (this.#live) return this.#live;
    throw away();
  }

  async #open(): Promise<HostConnection> {
    const connection = await this.#connectOrLaunch();
    this.#known.reset(connection.terminals);
    return connection;
  }

  async #connectOrLaunch(): Promise<HostConnection> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const found = await this.#connect();
      if (found) return found;
      // Another host may be ending, or may have started first. Then this starts none, and the next attempt connects.
      await this.#options.launch();
      // A host whose socket was removed creates a new one within this time.
      if (attempt > 0) await delay(NEW_SOCKET_MS);
    }
    throw new CoreError("host-lost", "A host for terminals was started, and does not answer.");
  }

  /** Null if there is no host, or it is shutting down. */
  #connect(): Promise<HostConnection | null> {
    let connection: HostConnection | null = null;
    return this.#options
      .connect({
        onEvent: (event) => this.#emit(event),
        ...this.#streams.events,
        onHung: (error) => this.#options.onProblem(error),
        onClose: () => {
          if (connection) this.#disconnected(connection);
        },
      })
      .then(
        (made) => {
          connection = made;
          return made;
        },
        (error: unknown) => {
          if (error instanceof ConnectionLostError) return null;
          if (error instanceof CoreError && error.code === "host-refused") return null;
          throw error;
        },
      );
  }

  #disconnected({ hostId }: HostConnection): void {
    this.#live = null;
    this.#announced.disconnected();
    if (this.#isClosed) return;
    this.#options.machine?.onDisconnected();
    this.#connection = this.#use(this.#reconnect(hostId));
  }

  /** Concurrent calls share this attempt and its failure. A failure without a caller is handled here. */
  #use(opening: Promise<HostConnection>): Promise<HostConnection> {
    opening.then(
      (connection) => {
        if (this.#connection !== opening) return;
        this.#live = connection;
        this.#options.machine?.onConnected(connection);
      },
      () => {},
    );
    return opening;
  }

  async #reconnect(lostHostId: string): Promise<HostConnection> {
    const found = await this.#connectOnceItAnswers().catch((error: Error) => {
      this.#options.onProblem(error);
      return null;
    });
    if (found?.hostId === lostHostId) {
      if (this.#options.machine) await this.#catchUp(found);
      this.#known.reset(found.terminals);
      this.#streams.resumeOn(found);
      return found;
    }
    this.#lost();
    const connection = found ?? (await this.#openPatiently());
    this.#known.reset(connection.terminals);
    return connection;
  }

  /** Reports what happened while a machine was away: terminals that closed, and commands that ended. */
  async #catchUp(found: HostConnection): Promise<void> {
    const open = new Set(found.terminals.map(({ id }) => id));
    const closed = this.#known.all().filter(({ id }) => !open.has(id));
    // If the connection breaks meanwhile, the next one catches up.
    const { finished } = (await found.call("unfinished", []).catch(() => ({ finished: [] }))) as UnfinishedCommands;
    for (const report of finished) this.#emit({ type: "commandFinished", report });
    for (const last of closed) {
      const state = { status: "closed", reason: "exited", exitCode: null } as const;
      const guessed = { ...last, state, activity: { kind: "idle" } as const };
      const terminal = (await found.call("get", [last.id]).catch(() => guessed)) as TerminalInfo;
      this.#emit({ type: "closed", terminal });
      this.#emit({ type: "changed", terminal });
    }
  }

  /** A host that does not answer is still alive: its terminals are not lost. */
  async #connectOnceItAnswers(): Promise<HostConnection | null> {
    for (;;) {
      try {
        return await this.#connect();
      } catch (error) {
        if (!(error instanceof CoreError) || error.code !== "host-hung" || this.#isClosed) throw error;
        this.#options.onProblem(error);
      }
    }
  }

  async #openPatiently(): Promise<HostConnection> {
    for (let retryMs = FIRST_RETRY_MS; ; retryMs = Math.min(2 * retryMs, LAST_RETRY_MS)) {
      try {
        return await this.#connectOrLaunch();
      } catch (error) {
        if (this.#isClosed) throw error;
        this.#options.onProblem(error as Error);
        await delay(retryMs);
      }
    }
  }

  /** Reports the loss to callers that wait for a command, to followers and to listeners. */
  #lost(): void {
    const { terminals, reports } = this.#known.lose(this.#options.now());
    for (const report of reports) {
      this.#lostReports.set(report.commandId, report);
      this.#emit({ type: "commandFinished", report });
    }
    for (const terminal of terminals) {
      this.#emit({ type: "closed", terminal });
      this.#emit({ type: "changed", terminal });
    }
    this.#streams.endAll();
    this.#emit({ type: "hostLost" });
  }

  #emit(event: PoolEvent): void {
    this.#known.hear(event);
    this.#announced.hear(event);
    this.#listeners.emit(event);
  }
}
