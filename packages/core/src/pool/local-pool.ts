import { AgentId, type CommandId, type CommandReport, type TerminalId, type TerminalInfo } from "@belay/protocol";
import { CoreError } from "../errors.ts";
import { followNothing } from "../output/terminal-output.ts";
import { assertDescriptorsLeft, keepSpareDescriptors } from "../processes/spare-descriptors.ts";
import { floodTurns } from "../pty/flood-turns.ts";
import { localProvider } from "../pty/local.ts";
import { type Provider, ProviderRegistry } from "../pty/providers.ts";
import type { ShellDriver } from "../terminal/commands/shell-driver.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { TerminalEvents } from "../terminal/terminal-options.ts";
import { AskedConnections } from "./asked-connections.ts";
import { PoolListeners } from "./pool-listeners.ts";
import { ReadyShells } from "./ready-shells.ts";
import type {
  KeyboardReader,
  KillReport,
  ListeningPort,
  OpenedPort,
  OutputSlice,
  ReadRequest,
  RunRequest,
  ShellState,
  SpawnRequest,
  TypeReport,
  TypeRequest,
  WaitStrategy,
} from "./requests.ts";
import { readShellState } from "./shell-state.ts";
import { SpawnLimits } from "./spawn-limits.ts";
import type { OutputConsumer, OutputSubscription, PoolEvent, TerminalPool } from "./terminal-pool.ts";
import { TerminalStarter, type TerminalStarterOptions } from "./terminal-starter.ts";

export interface LocalPoolOptions extends TerminalStarterOptions {
  newId: () => TerminalId;
  limits?: Partial<PoolLimits>;
  /** Ways to run programs besides `local`. */
  providers?: Provider[];
  /** Keeps a login shell of this kind (null: the default one) ready, for agents that need one at once. */
  warmShell?: { shell: string | null };
}

export interface PoolLimits {
  maxTerminals: number;
  /** How many bytes of each terminal's output are kept in memory. */
  maxOutputBytes: number;
  /** How many closed terminals stay readable. */
  maxClosedKept: number;
}

const DEFAULT_LIMITS: PoolLimits = {
  maxTerminals: 1000,
  maxOutputBytes: 1024 * 1024,
  maxClosedKept: 100,
};

/** The most bytes that one key sends. Longer input was pasted, or comes from a program. */
const MAX_KEY_BYTES = 16;

/** A pool whose terminals live in this process. */
export function createLocalPool(options: LocalPoolOptions): TerminalPool {
  return new LocalPool(options);
}

class LocalPool implements TerminalPool {
  readonly #options: LocalPoolOptions;
  readonly #limits: PoolLimits;
  readonly #spawnLimits: SpawnLimits;
  readonly #readyShells: ReadyShells;
  readonly #providers = new ProviderRegistry();
  readonly #terminals = new Map<TerminalId, Terminal>();
  readonly #closedIds: TerminalId[] = [];
  readonly #listeners = new PoolListeners();
  readonly #connections = new AskedConnections((event) => this.#listeners.emit(event));
  readonly #starter: TerminalStarter;
  #isClosed = false;

  constructor(options: LocalPoolOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    keepSpareDescriptors();
    this.#spawnLimits = new SpawnLimits(this.#limits, () => performance.now());
    this.#starter = new TerminalStarter(options, {
      maxOutputBytes: this.#limits.maxOutputBytes,
      events: this.#terminalEvents,
      askConnection: (agentId, connection, gone) => {
        const leaders = new Map(this.#open.map(({ leaderPid, id }) => [leaderPid, id]));
        return this.#connections.ask(AgentId.safeParse(agentId).data ?? null, connection, { leaders, gone });
      },
      onGitConfigRestored: ({ members, ...restored }) => {
        const terminalIds = this.#open.map(({ id }) => id).filter((id) => members.includes(id));
        this.#listeners.emit({ type: "gitConfigRestored", restored: { terminalIds, ...restored } });
      },
      onStuck: (id) => void this.#terminals.get(id)?.close("limit"),
    });
    for (const provider of [localProvider, ...(options.providers ?? [])]) this.#providers.register(provider);
    this.#readyShells = new ReadyShells({
      baseEnv: options.baseEnv,
      warmShell: options.warmShell ?? null,
      start: async (request) => {
        const id = options.newId();
        const provider = this.#providers.find(request.provider);
        return this.#starter.start(id, request, { provider, isWarm: true }).catch(async (error: unknown) => {
          await this.#starter.abandon(id);
          throw error;
        });
      },
    });
  }

  async spawn(request: SpawnRequest): Promise<TerminalInfo> {
    if (this.#isClosed) throw new CoreError("pool-closed", "The pool is closed; no terminal can be started.");
    assertDescriptorsLeft();
    const provider = this.#providers.find(request.provider);
    const warm = await this.#readyShells.take(request);
    const id = warm?.id ?? request.id ?? this.#options.newId();
    try {
      this.#spawnLimits.take(id, request);
      const terminal = warm ?? (await this.#starter.start(id, request, { provider, isWarm: false }));
      await warm?.adopt(request);
      this.#terminals.set(id, terminal);
      this.#readyShells.opened(request);
      this.#listeners.emit({ type: "created", terminal: terminal.info });
      return terminal.info;
    } catch (error) {
      this.#spawnLimits.giveBack(id);
      await warm?.close("killed");
      await this.#starter.abandon(id);
      throw error;
    }
  }

  async list(): Promise<TerminalInfo[]> {
    return this.#open.map((terminal) => terminal.info);
  }

  async get(id: TerminalId): Promise<TerminalInfo> {
    return this.#find(id).info;
  }

  lastKnown(id: TerminalId): TerminalInfo | null {
    const terminal = this.#terminals.get(id);
    return terminal?.isOpen ? terminal.info : null;
  }

  async run(id: TerminalId, request: RunRequest, signal?: AbortSignal): Promise<CommandReport> {
    const terminal = this.#find(id);
    terminal.assertOpen();
    signal?.throwIfAborted();
    return this.#shellOf(terminal).run(request, signal);
  }

  async shellState(id: TerminalId): Promise<ShellState> {
    const terminal = this.#find(id);
    terminal.assertOpen();
    return readShellState(terminal.info, this.#shellOf(terminal));
  }

  async waitFor(
    id: TerminalId,
    commandId: CommandId,
    wait: WaitStrategy,
    signal?: AbortSignal,
  ): Promise<CommandReport> {
    return this.#shellOf(this.#find(id)).waitFor(commandId, wait, signal);
  }

  async write(id: TerminalId, data: string | Uint8Array): Promise<void> {
    this.#find(id).write(data);
    if (data.length <= MAX_KEY_BYTES) floodTurns.typed();
  }

  async reader(id: TerminalId): Promise<KeyboardReader> {
    return this.#find(id).reader();
  }

  async type(id: TerminalId, request: TypeRequest): Promise<TypeReport> {
    return this.#find(id).type(request);
  }

  async read(id: TerminalId, request: ReadRequest): Promise<OutputSlice> {
    return this.#find(id).output.read(request);
  }

  async history(id: TerminalId, maxBytes: number): Promise<{ text: string; endPosition: number }> {
    return this.#find(id).output.history(maxBytes);
  }

  follow(id: TerminalId, fromPosition: number, consumer: OutputConsumer): OutputSubscription {
    const terminal = this.#terminals.get(id);
    return terminal ? terminal.output.follow(fromPosition, consumer) : followNothing(fromPosition, consumer);
  }

  async answerConnection(id: CommandId, { isAllowed }: { isAllowed: boolean }): Promise<boolean> {
    return this.#connections.answer(id, isAllowed);
  }

  async ports(id: TerminalId): Promise<ListeningPort[]> {
    const terminal = this.#find(id);
    return terminal.isOpen ? this.#starter.ports.list(terminal) : [];
  }

  async openPort(id: TerminalId, port: number): Promise<OpenedPort> {
    const terminal = this.#find(id);
    terminal.assertOpen();
    return this.#starter.ports.open(terminal, port);
  }

  async resize(id: TerminalId, size: { cols: number; rows: number }): Promise<void> {
    this.#find(id).resize(size);
  }

  async promote(id: TerminalId): Promise<TerminalInfo> {
    const terminal = this.#find(id);
    // A temporary takeover can become permanent.
    if (!terminal.info.isBorrowed) assertAgentOwned(terminal.info);
    terminal.giveToPerson({ forAWhile: false });
    this.#listeners.emit({ type: "promoted", terminal: terminal.info });
    return terminal.info;
  }

  async borrow(id: TerminalId): Promise<TerminalInfo> {
    const terminal = this.#find(id);
    assertAgentOwned(terminal.info);
    terminal.giveToPerson({ forAWhile: true });
    this.#listeners.emit({ type: "promoted", terminal: terminal.info });
    return terminal.info;
  }

  async handBack(id: TerminalId): Promise<TerminalInfo> {
    const terminal = this.#find(id);
    const { isBorrowed, activity } = terminal.info;
    if (!isBorrowed) throw new CoreError("not-borrowed", `Terminal "${id}" was not taken over temporarily.`);
    if (terminal.info.shell !== null && activity.kind === "busy" && activity.commandId === null) {
      throw new CoreError(
        "terminal-busy",
        `A program that a person started is still running in terminal "${id}". End it, or wait for it, and then hand the terminal back.`,
      );
    }
    terminal.handBack();
    this.#listeners.emit({ type: "changed", terminal: terminal.info });
    return terminal.info;
  }

  async kill(id: TerminalId, { reason }: Parameters<TerminalPool["kill"]>[1]): Promise<KillReport> {
    const terminal = this.#terminals.get(id);
    if (!terminal || terminal.info.state.status === "closed") return { existed: false, survivors: [] };
    return terminal.close(reason);
  }

  subscribe(listener: (event: PoolEvent) => void): () => void {
    const unsubscribe = this.#listeners.add(listener);
    for (const event of this.#connections.events) listener(event);
    return unsubscribe;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#starter.stop();
    const open = [...this.#terminals.keys()];
    await Promise.all([this.#readyShells.close(), ...open.map((id) => this.kill(id, { reason: "shutdown" }))]);
    await this.#starter.close();
  }

  get #open(): Terminal[] {
    return [...this.#terminals.values()].filter((terminal) => terminal.isOpen);
  }

  readonly #terminalEvents: TerminalEvents = {
    onChanged: (terminal) => this.#emitOf(terminal, "changed"),
    onClosing: (terminal) => this.#emitOf(terminal, "closed"),
    onClosed: (terminal) => this.#closed(terminal),
    onCommandFinished: (report) => {
      if (this.#terminals.has(report.terminalId)) this.#listeners.emit({ type: "commandFinished", report });
    },
  };

  /** A warm shell has no owner yet, so no events are sent for it. */
  #emitOf(terminal: Terminal, type: "changed" | "closed"): void {
    if (this.#terminals.has(terminal.id)) this.#listeners.emit({ type, terminal: terminal.info });
  }

  #closed(terminal: Terminal): void {
    this.#starter.closed(terminal.id);
    this.#connections.forget(terminal.id);
    if (!this.#terminals.has(terminal.id)) return;
    this.#spawnLimits.giveBack(terminal.id);
    const { agentId } = terminal.info;
    if (agentId && this.#open.every((other) => other.info.agentId !== agentId)) this.#readyShells.left(agentId);
    this.#emitOf(terminal, "changed");
    this.#closedIds.push(terminal.id);
    const [oldest] = this.#closedIds;
    if (this.#closedIds.length > this.#limits.maxClosedKept && oldest) {
      this.#closedIds.shift();
      this.#terminals.delete(oldest);
    }
  }

  #find(id: TerminalId): Terminal {
    const terminal = this.#terminals.get(id);
    if (terminal) return terminal;
    throw new CoreError(
      "terminal-not-found",
      `No terminal "${id}". It may have closed; list terminals to see the open ones.`,
    );
  }

  #shellOf(terminal: Terminal): ShellDriver {
    if (terminal.shell) return terminal.shell;
    throw new CoreError("terminal-busy", `Terminal "${terminal.id}" runs a program and no shell. Write to it instead.`);
  }
}

function assertAgentOwned({ id, owner }: TerminalInfo): void {
  if (owner !== "agent") throw new CoreError("not-agent-owned", `Terminal "${id}" already belongs to a person.`);
}
