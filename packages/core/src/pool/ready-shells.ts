import type { AgentId } from "@belay/protocol";
import { localProvider } from "../pty/local.ts";
import { rcFilesOf } from "../shell/kinds/rc-files.ts";
import { defaultShell, findShell, shellKindOf } from "../shell/shells.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { isInside } from "../walls/sandbox-mounts.ts";
import { checkFolder } from "./prepare-spawn.ts";
import type { SpawnRequest } from "./requests.ts";
import { WarmShells, warmRequest } from "./warm-shells.ts";

export interface ReadyShellsOptions {
  baseEnv: Record<string, string>;
  warmShell: { shell: string | null } | null;
  /** Starts a shell that has no owner yet. */
  start: (request: SpawnRequest) => Promise<Terminal>;
}

/**
 * Shells that are started in advance: a login shell without a wall and, if the policy says so, the next container of
 * each agent that has one open.
 */
export class ReadyShells {
  readonly #options: ReadyShellsOptions;
  readonly #login: WarmShells | null;
  /** One for each agent, and for exactly one kind of container. */
  readonly #containers = new Map<AgentId, { key: string; shells: WarmShells }>();
  readonly #closing = new Set<Promise<void>>();
  #isClosed = false;

  constructor(options: ReadyShellsOptions) {
    this.#options = options;
    this.#login = options.warmShell ? this.#createLogin(options.warmShell.shell) : null;
  }

  /** Null if none fits. */
  async take(request: SpawnRequest): Promise<Terminal | null> {
    const shells = this.#isPlainLogin(request) ? this.#login : this.#containerFor(request);
    if (!shells) return null;
    await checkFolder(request.cwd);
    return shells.take();
  }

  /** A terminal was opened: its agent may soon want another one. */
  opened(request: SpawnRequest): void {
    const { agentId, wall } = request;
    if (this.#isClosed || agentId === null || !wall?.container?.startAhead || !canBeReady(request)) return;
    const key = keyOf(request);
    if (this.#containers.get(agentId)?.key === key) return;
    this.left(agentId);
    const ahead: SpawnRequest = { ...request, name: null, env: {}, cwd: wall.writable[0] ?? request.cwd };
    const rcFiles = rcFilesOf("bash", wall.home);
    const shells = new WarmShells({ rcFiles, start: () => this.#options.start(ahead) });
    this.#containers.set(agentId, { key, shells });
  }

  /** The agent has no terminals left, or now opens a different kind. */
  left(agentId: AgentId): void {
    const left = this.#containers.get(agentId);
    if (!left) return;
    this.#containers.delete(agentId);
    const closing = left.shells.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const agentId of this.#containers.keys()) this.left(agentId);
    await Promise.all([this.#login?.close(), ...this.#closing]);
  }

  #containerFor(request: SpawnRequest): WarmShells | null {
    const ready = request.agentId === null ? undefined : this.#containers.get(request.agentId);
    const [workspace] = request.wall?.writable ?? [];
    // Any other folder may exist only outside the container.
    const isFitting = canBeReady(request) && workspace !== undefined && isInside(request.cwd, workspace);
    return ready && isFitting && ready.key === keyOf(request) ? ready.shells : null;
  }

  #createLogin(shell: string | null): WarmShells {
    const { baseEnv, start } = this.#options;
    const path = findShell(shell ?? defaultShell(process.platform), baseEnv.PATH ?? "");
    const home = baseEnv.HOME ?? "/";
    return new WarmShells({
      rcFiles: rcFilesOf(shellKindOf(path), home),
      start: () => start(warmRequest(path, home)),
    });
  }

  #isPlainLogin({ id, program, owner, provider, env, resources, account }: SpawnRequest): boolean {
    const shell = this.#options.warmShell?.shell ?? null;
    return (
      id === undefined &&
      program.type === "shell" &&
      program.login &&
      (program.shell === null || program.shell === shell) &&
      owner === "agent" &&
      provider === localProvider.name &&
      resources === undefined &&
      account === undefined &&
      env.HOME === undefined
    );
  }
}

function canBeReady({ id, program, owner, env }: SpawnRequest): boolean {
  return id === undefined && program.type === "shell" && owner === "agent" && env.HOME === undefined;
}

/** Everything that cannot be changed once a container has started. */
function keyOf({ program, provider, wall, resources, account }: SpawnRequest): string {
  return JSON.stringify([program, provider, wall, resources, account]);
}
