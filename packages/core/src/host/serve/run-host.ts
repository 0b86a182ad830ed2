import { randomBytes } from "node:crypto";
import { access, rm } from "node:fs/promises";
import { CoreError } from "../../errors.ts";
import { endMarkedProcesses } from "../../processes/end-processes.ts";
import { installTrash } from "../../trash/install-trash.ts";
import { cleanUpAfterLostHost, createLocalHost, type LocalHostOptions } from "../local-host.ts";
import type { TerminalHost } from "../terminal-host.ts";
import { type HostEndpoint, hostEndpoint, prepareHostFolder, readIfThere, writeWhole } from "../wire/endpoint.ts";
import { PROTOCOL, type Surroundings, type VersionRange } from "../wire/messages.ts";
import { startReaper } from "./reaper.ts";
import { type ProvedClient, startHostServer } from "./server.ts";

/** A host that is no longer needed exits after this time. */
const UNUSED_MS = 60_000;
const DOOR_CHECK_MS = 1_000;

export interface RunHostOptions {
  dataDir: string;
  /** Name and version, for messages to people. */
  program: string;
  /** Locks the file until this process ends, even if it is killed; null if another process holds the lock. */
  acquireLock: (file: string) => { release(): void } | null;
  /** Joins a gateway on another machine, instead of serving one on this. */
  join?: JoinOptions;
  /** Run by a service manager: it keeps running after a gateway has closed every terminal, and while it is unused. */
  isService: boolean;
  /** Ends every terminal and the host. */
  stop: Promise<unknown>;
  onReady: (about: { socket: string }) => void;
  onStopping: (about: { openTerminals: number }) => void;
  log: (message: string, error?: Error) => void;
  protocol?: VersionRange;
  /** After how long a host that is no longer needed exits. */
  unusedMs?: number;
}

export interface JoinOptions {
  /** The environment of its terminals: this machine's own, not the gateway's. */
  surroundings: Surroundings;
  /** Connects to the gateway whenever it can, and hands each connection over. */
  dial: (host: { hostId: string; accept: (client: ProvedClient) => void }) => { stop(): void };
}

/**
 * Runs the host until it is told to end. One per data folder.
 *
 * 1. The lock, then clean-up: processes, recordings and files of a killed host.
 * 2. The reaper, before there is anything to reap.
 * 3. The token, then the socket, which is created again if it is removed.
 */
export async function runHost(options: RunHostOptions): Promise<void> {
  const { dataDir, log } = options;
  const endpoint = hostEndpoint(dataDir);
  await prepareHostFolder(endpoint);
  const lock = options.acquireLock(endpoint.lock);
  if (!lock) throw new CoreError("host-running", `Another host holds the terminals of ${dataDir} already.`);
  try {
    // A host and its reaper that were killed together left the programs of their terminals running.
    const earlier = await readIfThere(endpoint.marker);
    for (const { pid, command } of earlier ? await endMarkedProcesses(earlier) : []) {
      log(`The process ${pid} (${command}) of an earlier terminal cannot be ended.`);
    }
    const { unreadableRecordings } = await cleanUpAfterLostHost(dataDir);
    for (const id of unreadableRecordings) log(`The recording of ${id} cannot be read.`);
    await serve(options);
  } finally {
    await rm(endpoint.socket, { force: true });
    lock.release();
  }
}

async function serve(options: RunHostOptions): Promise<void> {
  const { dataDir, program, isService, log } = options;
  const endpoint = hostEndpoint(dataDir);
  const processMarker = `${randomBytes(16).toString("hex")}.`;
  const token = randomBytes(32).toString("hex");
  const writeFiles = async () => {
    await writeWhole(endpoint.marker, processMarker);
    await writeWhole(endpoint.pid, String(process.pid));
    await writeWhole(endpoint.token, token);
  };
  // Before any process has the marker.
  await writeFiles();
  const surroundings: LocalHostOptions = {
    dataDir,
    processMarker,
    baseEnv: {},
    now: () => Date.now(),
    onRecordingFailed: (terminalId, error) => log(`The recording of ${terminalId} failed.`, error),
  };
  const host = createLocalHost(surroundings);
  const reaper = startReaper(host.terminals, processMarker);
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const unused = watchUse(host, {
    socket: endpoint.socket,
    unusedMs: options.unusedMs ?? UNUSED_MS,
    onUnused: () => {
      if (!isService) end();
    },
  });
  const hostId = randomBytes(8).toString("hex");
  const surround = async ({ baseEnv, trashDir, home }: Surroundings) => {
    surroundings.baseEnv = baseEnv;
    surroundings.shims = trashDir === null ? undefined : await installTrash({ trashDir, home });
  };
  if (options.join) await surround(options.join.surroundings);
  const server = await startHostServer({
    host: isService ? { ...host, close: () => endTerminals(host) } : host,
    endpoint: options.join ? null : endpoint,
    token,
    hostId,
    program,
    protocol: options.protocol ?? PROTOCOL,
    onSurroundings: surround,
    onClientsChanged: unused.clientsChanged,
    onClosed: () => {
      if (!isService) end();
    },
  });
  const dialing = options.join?.dial({ hostId, accept: server.accept });
  const door = options.join
    ? null
    : watchSocket(endpoint, async () => {
        await writeFiles();
        await server.listenAgain();
        log("The socket was removed, and created again.");
      });
  options.onReady({ socket: endpoint.socket });

  const stopped = options.stop.then(async () => {
    options.onStopping({ openTerminals: (await host.terminals.list()).length });
  });
  await Promise.race([ended, stopped]);
  unused.stop();
  door?.stop();
  dialing?.stop();
  await host.close();
  await server.close();
  reaper.stop();
}

async function endTerminals({ terminals }: TerminalHost): Promise<void> {
  const open = await terminals.list();
  await Promise.all(open.map(({ id }) => terminals.kill(id, { reason: "shutdown" })));
}

interface UseOptions {
  socket: string;
  unusedMs: number;
  onUnused: () => void;
}

/**
 * Reports when the host was not needed for a while: no gateway connected, no terminal open and no result pending.
 * Also when the data folder was removed: its terminals can then never be reached again.
 */
function watchUse(host: TerminalHost, { socket, unusedMs, onUnused }: UseOptions) {
  let timer: NodeJS.Timeout | null = null;
  const stop = () => {
    if (timer) clearTimeout(timer);
    timer = null;
  };
  const look = async () => {
    const isReachable = await isThere(socket);
    const { finished } = await host.unfinished();
    const isNeeded = (await host.terminals.list()).length > 0 || finished.length > 0;
    if (isReachable && isNeeded) timer?.refresh();
    else if (timer) onUnused();
  };
  const clientsChanged = (count: number) => {
    stop();
    if (count === 0) timer = setTimeout(() => void look(), unusedMs);
  };
  clientsChanged(0);
  return { clientsChanged, stop };
}

/** Detects that the socket was removed while its folder exists: a gateway could no longer find the terminals. */
function watchSocket({ folder, socket }: HostEndpoint, onRemoved: () => Promise<void>) {
  let isBusy = false;
  const look = async () => {
    if (isBusy || (await isThere(socket)) || !(await isThere(folder))) return;
    isBusy = true;
    // If the folder was removed as well, `watchUse` notices it.
    await onRemoved().catch(() => {});
    isBusy = false;
  };
  const timer = setInterval(() => void look(), DOOR_CHECK_MS);
  return { stop: () => clearInterval(timer) };
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
