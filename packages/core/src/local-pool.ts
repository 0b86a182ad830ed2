import { randomBytes } from "node:crypto";
import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CommandId, TerminalId, TerminalInfo } from "@belay/protocol";
import { CoreError } from "./errors.ts";
import { MARKER_VARIABLE } from "./processes/end-processes.ts";
import { localProvider } from "./pty/local.ts";
import { type Provider, ProviderRegistry } from "./pty/providers.ts";
import type { PtyOptions } from "./pty/pty.ts";
import { defaultShell, findProgram, findShell, shellKindOf, startShell } from "./shell/shells.ts";
import { Terminal, type TerminalOptions } from "./terminal.ts";
import type {
  KillReport,
  OutputConsumer,
  OutputSlice,
  OutputSubscription,
  PoolEvent,
  ReadRequest,
  RunRequest,
  SpawnRequest,
  TerminalPool,
  WaitStrategy,
} from "./terminal-pool.ts";

export interface LocalPoolOptions {
  /** Where generated files of the terminals go. Made readable for the owner alone. */
  dataDir: string;
  /** What every terminal's environment begins with. */
  baseEnv: Record<string, string>;
  newId: () => TerminalId;
  now: () => number;
  limits?: Partial<PoolLimits>;
  /** Ways to run programs besides `local`. */
  providers?: Provider[];
}

export interface PoolLimits {
  maxTerminals: number;
  maxTerminalsPerAgent: number;
  maxOutputBytes: number;
  /** How many closed terminals stay readable. */
  maxClosedKept: number;
}

const DEFAULT_LIMITS: PoolLimits = {
  maxTerminals: 1000,
  maxTerminalsPerAgent: 50,
  maxOutputBytes: 1024 * 1024,
  maxClosedKept: 100,
};

/** A pool whose terminals live in this process. */
export function createLocalPool(options: LocalPoolOptions): TerminalPool {
  return new LocalPool(options);
}

class LocalPool implements TerminalPool {
  readonly #options: LocalPoolOptions;
  readonly #limits: PoolLimits;
  readonly #providers = new ProviderRegistry();
  readonly #terminals = new Map<TerminalId, Terminal>();
  readonly #closedIds: TerminalId[] = [];
  readonly #listeners = new Set<(event: PoolEvent) => void>();
  #isClosed = false;

  constructor(options: LocalPoolOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    for (const provider of [localProvider, ...(options.providers ?? [])]) this.#providers.register(provider);
  }

  async spawn(request: SpawnRequest): Promise<TerminalInfo> {
    if (this.#isClosed) throw new CoreError("pool-closed", "The pool is closed; no terminal can be started.");
    this.#checkLimits(request);
    const provider = this.#providers.find(request.provider);
    await checkFolder(request.cwd);
    const id = request.id ?? this.#options.newId();
    const prepared = await this.#prepare(id, request);
    const terminal = new Terminal({ ...prepared, id, request, openPty: provider.openPty });
    this.#terminals.set(id, terminal);
    this.#emit({ type: "created", terminal: terminal.info });
    return terminal.info;
  }

  async list(): Promise<TerminalInfo[]> {
    return this.#open.map((terminal) => terminal.info);
  }

  async get(id: TerminalId): Promise<TerminalInfo> {
    return this.#find(id).info;
  }

  async run(id: TerminalId, request: RunRequest, signal?: AbortSignal) {
    const terminal = this.#find(id);
    if (!terminal.isOpen) throw new CoreError("terminal-closed", `Terminal "${id}" is closed.`);
    return this.#sessionOf(terminal).run(request, signal);
  }

  async waitFor(id: TerminalId, commandId: CommandId, wait: WaitStrategy, signal?: AbortSignal) {
    return this.#sessionOf(this.#find(id)).waitFor(commandId, wait, signal);
  }

  async write(id: TerminalId, data: string | Uint8Array): Promise<void> {
    this.#find(id).write(data);
  }

  async read(id: TerminalId, request: ReadRequest): Promise<OutputSlice> {
    return this.#find(id).output.read(request);
  }

  async history(id: TerminalId): Promise<{ text: string; endPosition: number }> {
    return this.#find(id).output.history();
  }

  follow(id: TerminalId, fromPosition: number, consumer: OutputConsumer): OutputSubscription {
    return this.#find(id).output.follow(fromPosition, consumer);
  }

  async resize(id: TerminalId, size: { cols: number; rows: number }): Promise<void> {
    this.#find(id).resize(size);
  }

  async promote(id: TerminalId): Promise<TerminalInfo> {
    const terminal = this.#find(id);
    if (terminal.info.owner !== "agent") {
      throw new CoreError("not-agent-owned", `Terminal "${id}" already belongs to a person.`);
    }
    terminal.promote();
    this.#emit({ type: "promoted", terminal: terminal.info });
    return terminal.info;
  }

  async kill(id: TerminalId, { reason }: Parameters<TerminalPool["kill"]>[1]): Promise<KillReport> {
    const terminal = this.#terminals.get(id);
    if (!terminal?.isOpen) return { existed: false, survivors: [] };
    return terminal.close(reason);
  }

  subscribe(listener: (event: PoolEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#open.map((terminal) => terminal.close("shutdown")));
  }

  get #open(): Terminal[] {
    return [...this.#terminals.values()].filter((terminal) => terminal.isOpen);
  }

  #checkLimits({ agentId, name }: SpawnRequest): void {
    const open = this.#open;
    if (open.length >= this.#limits.maxTerminals) {
      throw new CoreError("pool-full", `All ${this.#limits.maxTerminals} terminals are in use. Close one first.`);
    }
    if (agentId === null) return;
    const own = open.map(({ info }) => info).filter((info) => info.agentId === agentId);
    if (own.length >= this.#limits.maxTerminalsPerAgent) {
      throw new CoreError("pool-full", `This agent has ${own.length} terminals, which is the most. Close one first.`);
    }
    if (name !== null && own.some((info) => info.name === name)) {
      throw new CoreError("name-taken", `This agent already has a terminal "${name}". Use it, or choose another name.`);
    }
  }

  async #prepare(id: TerminalId, request: SpawnRequest): Promise<Omit<TerminalOptions, "id" | "request" | "openPty">> {
    const { baseEnv, now, dataDir } = this.#options;
    const marker = randomBytes(16).toString("hex");
    const folder = join(dataDir, "terminals", id);
    const env: Record<string, string> = {
      ...baseEnv,
      TERM: "xterm-256color",
      ...request.env,
      [MARKER_VARIABLE]: marker,
    };
    const shared = {
      marker,
      now,
      maxOutputBytes: this.#limits.maxOutputBytes,
      writeScript: (text: string) => writeScript(folder, text),
      events: {
        onChanged: (terminal: Terminal) => this.#emit({ type: "changed", terminal: terminal.info }),
        onClosing: (terminal: Terminal) => this.#emit({ type: "closed", terminal: terminal.info }),
        onClosed: (terminal: Terminal) => this.#closed(terminal, folder),
        onCommandFinished: (report: Parameters<TerminalOptions["events"]["onCommandFinished"]>[0]) =>
          this.#emit({ type: "commandFinished", report }),
      },
    };
    const size = { cwd: request.cwd, cols: request.cols, rows: request.rows };
    if (request.program.type === "argv") {
      const [name = "", ...args] = request.program.argv;
      const path = findProgram(name, env.PATH ?? "");
      if (!path) throw new CoreError("spawn-failed", `No program "${name}" that can be executed. Nothing was started.`);
      return { ...shared, shell: null, ptyOptions: { argv: [path, ...args], env, ...size } };
    }

    const path = findShell(request.program.shell ?? defaultShell(process.platform), env.PATH ?? "");
    const kind = shellKindOf(path);
    const nonce = randomBytes(12).toString("hex");
    const isAgents = request.owner === "agent";
    const start = startShell(kind, {
      shellPath: path,
      nonce,
      rcDir: folder,
      isLogin: request.program.login,
      isAgents,
      historyFile: isAgents ? join(folder, "history") : null,
      env,
    });
    for (const [file, text] of Object.entries(start.files)) await writePrivately(join(folder, file), text);
    const ptyOptions: PtyOptions = { argv: start.argv, env: { ...env, ...start.env }, ...size };
    return { ...shared, shell: { kind, path, nonce }, ptyOptions };
  }

  #closed(terminal: Terminal, folder: string): void {
    this.#emit({ type: "changed", terminal: terminal.info });
    this.#closedIds.push(terminal.id);
    if (this.#closedIds.length > this.#limits.maxClosedKept) {
      const oldest = this.#closedIds.shift();
      if (oldest) this.#terminals.delete(oldest);
    }
    void rm(folder, { recursive: true, force: true });
  }

  #find(id: TerminalId): Terminal {
    const terminal = this.#terminals.get(id);
    if (terminal) return terminal;
    throw new CoreError(
      "terminal-not-found",
      `No terminal "${id}". It may have closed; list terminals to see the open ones.`,
    );
  }

  #sessionOf(terminal: Terminal) {
    if (terminal.session) return terminal.session;
    throw new CoreError("terminal-busy", `Terminal "${terminal.id}" runs a program and no shell. Write to it instead.`);
  }

  #emit(event: PoolEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }
}

async function checkFolder(cwd: string): Promise<void> {
  const found = await stat(cwd).catch(() => null);
  if (!found?.isDirectory()) throw new CoreError("cwd-not-found", `No folder "${cwd}". Nothing was started.`);
}

async function writeScript(folder: string, text: string): Promise<string> {
  const path = join(folder, `command-${randomBytes(6).toString("hex")}`);
  await writePrivately(path, `${text}\n`);
  return path;
}

async function writePrivately(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, text, { mode: 0o600 });
}
