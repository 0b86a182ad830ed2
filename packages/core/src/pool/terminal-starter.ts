import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { TerminalId } from "@belay/protocol";
import { CoreError } from "../errors.ts";
import { type HeldLimits, ResourceLimiter } from "../limits/resource-limiter.ts";
import { openPtyOf, type Provider } from "../pty/providers.ts";
import type { Shims } from "../shell/hooks.ts";
import type { OpenTap } from "../terminal/tap.ts";
import { Terminal } from "../terminal/terminal.ts";
import type { TerminalEvents } from "../terminal/terminal-options.ts";
import { containerAccount } from "../walls/account.ts";
import { GitConfigs } from "../walls/git-config/git-configs.ts";
import { AgentNetworks, type AskForAgent } from "../walls/network/agent-networks.ts";
import { TerminalPorts } from "../walls/ports/terminal-ports.ts";
import { prepareSpawn } from "./prepare-spawn.ts";
import type { SpawnRequest } from "./requests.ts";
import { TerminalFolder } from "./terminal-folder.ts";

export interface TerminalStarterOptions {
  /** The folder for generated files of terminals, with a folder for each. Readable only by the owner. */
  dataDir: string;
  /** The base environment of every terminal. */
  baseEnv: Record<string, string>;
  now: () => number;
  /** Our own programs, first on the PATH of agents' terminals. */
  shims?: Shims;
  /** The prefix of the marker in every process's environment, by which all processes of the pool are found. */
  processMarker?: string;
  /** Receives every byte of each terminal, for its recording. */
  openTap?: OpenTap;
}

interface StarterParts {
  maxOutputBytes: number;
  events: TerminalEvents;
  askConnection: AskForAgent;
  onGitConfigRestored: ConstructorParameters<typeof GitConfigs>[0];
  /** A terminal reached a limit and cannot go on. */
  onStuck: (id: TerminalId) => void;
}

/** Starts terminals, and sets up the folder, network, limits and watched git settings of each. */
export class TerminalStarter {
  readonly ports: TerminalPorts;
  readonly #options: TerminalStarterOptions;
  readonly #parts: StarterParts;
  readonly #networks: AgentNetworks;
  readonly #gitConfigs: GitConfigs;
  readonly #limiter: ResourceLimiter;
  readonly #folders = new Map<TerminalId, TerminalFolder>();
  /** Folders of closed terminals that are being removed. */
  readonly #removals = new Set<Promise<void>>();
  #isClosed = false;

  constructor(options: TerminalStarterOptions, parts: StarterParts) {
    this.#options = options;
    this.#parts = parts;
    this.#networks = new AgentNetworks(parts.askConnection);
    this.#gitConfigs = new GitConfigs(parts.onGitConfigRestored);
    this.#limiter = new ResourceLimiter({ dataDir: options.dataDir, use: "host" });
    this.ports = new TerminalPorts({ folder: join(options.dataDir, "ports"), networks: this.#networks });
  }

  /** `isWarm`: it has no owner yet. */
  async start(
    id: TerminalId,
    request: SpawnRequest,
    { provider, isWarm }: { provider: Provider; isWarm: boolean },
  ): Promise<Terminal> {
    const { baseEnv, now, openTap = null, shims = null, processMarker = "" } = this.#options;
    const account = request.account ?? containerAccount(request);
    const folder = new TerminalFolder({ dataDir: this.#options.dataDir, id, account });
    this.#folders.set(id, folder);
    const networkPid = await this.#enterNetwork(id, request);
    if (request.wall?.writable[0] !== undefined) this.#gitConfigs.enter(request.wall.writable[0], id);
    const prepared = await prepareSpawn(request, { folder, baseEnv, shims, processMarker, networkPid });
    if (this.#isClosed) throw new CoreError("pool-closed", "The pool was closed meanwhile; nothing was started.");
    const name = `belay-${id}-${randomBytes(4).toString("hex")}`;
    const held = this.#holdLimits(id, name, request, provider);
    return new Terminal({
      ...prepared,
      ptyOptions: { ...prepared.ptyOptions, name, resources: request.resources, limits: held?.launch },
      held,
      id,
      request,
      openPty: openPtyOf(provider),
      openTap,
      isWarm,
      now,
      maxOutputBytes: this.#parts.maxOutputBytes,
      folder,
      events: this.#parts.events,
    });
  }

  /** For a terminal that could not be started. */
  async abandon(id: TerminalId): Promise<void> {
    this.#leave(id);
    await this.#removeFolder(id);
  }

  closed(id: TerminalId): void {
    this.#leave(id);
    // If the disk is not writable, the folder stays, and the next host removes it.
    const removal = this.#removeFolder(id)
      .catch(() => {})
      .finally(() => this.#removals.delete(removal));
    this.#removals.add(removal);
  }

  /** Nothing is started from now on. */
  stop(): void {
    this.#isClosed = true;
  }

  /** After all its terminals have closed. */
  async close(): Promise<void> {
    await Promise.all(this.#removals);
    this.ports.close();
    this.#networks.close();
    this.#gitConfigs.close();
  }

  /** All terminals of an agent share one network namespace, so that they can reach each other's servers. */
  async #enterNetwork(id: TerminalId, { wall, agentId }: SpawnRequest): Promise<number | undefined> {
    if (!wall || wall.shown.network === "host") return undefined;
    if (wall.shown.network === "allowlist") return this.#networks.enter(agentId ?? id, id, wall.hosts);
    // An engine gives each container a loopback of its own.
    return wall.container ? undefined : this.#networks.enter(agentId ?? id, id, null);
  }

  #holdLimits(id: TerminalId, name: string, { resources }: SpawnRequest, provider: Provider): HeldLimits | null {
    if (!resources) return null;
    const onStuck = () => this.#parts.onStuck(id);
    return provider.holdLimits
      ? this.#limiter.watch(id, provider.holdLimits(name, resources), { onStuck })
      : this.#limiter.hold(id, resources, { onStuck });
  }

  #leave(id: TerminalId): void {
    this.ports.leave(id);
    this.#networks.leave(id);
    this.#gitConfigs.leave(id);
  }

  async #removeFolder(id: TerminalId): Promise<void> {
    const folder = this.#folders.get(id);
    this.#folders.delete(id);
    await folder?.remove();
  }
}
