import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type CommandId, type CommandReport, formatId, ID_RANDOM_BYTES, type TerminalId } from "@belay/protocol";
import { endLeftGroups } from "../limits/resource-limiter.ts";
import { findNamedFiles, readNamedFile } from "../named-files/named-files.ts";
import { createLocalPool, type LocalPoolOptions } from "../pool/local-pool.ts";
import { removeAccountFolders } from "../pool/terminal-folder.ts";
import type { PoolEvent } from "../pool/terminal-pool.ts";
import { recoverOpenRecordings } from "../recording/open-recordings.ts";
import { dropCopiedRecording, readRecordingPart } from "../recording/recording-part.ts";
import { recordingTap } from "../recording/recording-tap.ts";
import { removeTree } from "../remove-tree.ts";
import { combineTaps, screenTap } from "../render/screen/screen-tap.ts";
import { Screens } from "../render/screen/screens.ts";
import { Bubblewrap } from "../walls/bubblewrap.ts";
import { Containers } from "../walls/container.ts";
import { namesInWallHome, planToWall, wallAbility } from "../walls/wall-plan.ts";
import { findFolder, readLoad } from "./machine-facts.ts";
import type { TerminalHost } from "./terminal-host.ts";

/** As many closed terminals as the pool itself keeps readable. */
const MAX_CLOSED_SCREENS = 100;
/** Beyond this number the oldest results are dropped: the gateway has stopped fetching them. */
const MAX_UNACKNOWLEDGED = 10_000;

export interface LocalHostOptions extends Partial<Pick<LocalPoolOptions, "shims" | "providers" | "processMarker">> {
  dataDir: string;
  baseEnv: Record<string, string>;
  now: () => number;
  /** A recording cannot be started or continued; its terminal keeps running, and writing is retried. */
  onRecordingFailed: (terminalId: string, error: Error) => void;
}

/** A host whose terminals live in this process. The options are read again for every new terminal. */
export function createLocalHost(options: LocalHostOptions): TerminalHost {
  const { dataDir, now } = options;
  const recordingsDir = recordingsDirOf(dataDir);
  const screens = new Screens();
  const failedRecordings = new Map<string, string>();
  const containers = new Containers(wallsDirOf(dataDir));
  const terminals = createLocalPool({
    newId: () => formatId("pty", randomBytes(ID_RANDOM_BYTES)),
    now,
    dataDir: terminalsDirOf(dataDir),
    get baseEnv() {
      return options.baseEnv;
    },
    get shims() {
      return options.shims;
    },
    processMarker: options.processMarker,
    providers: [new Bubblewrap(wallsDirOf(dataDir)).provider, containers.provider, ...(options.providers ?? [])],
    openTap: combineTaps(
      recordingTap({
        dir: recordingsDir,
        onFailed: (terminalId, error) => {
          failedRecordings.set(terminalId, error.message);
          options.onRecordingFailed(terminalId, error);
        },
        onResumed: (terminalId) => void failedRecordings.delete(terminalId),
        onEnded: (terminalId) => void failedRecordings.delete(terminalId),
      }),
      screenTap({ screens, recordingsDir }),
    ),
  });
  const unacknowledged = new Map<CommandId, CommandReport>();
  const closedIds: TerminalId[] = [];

  terminals.subscribe((event: PoolEvent) => {
    if (event.type === "commandFinished") {
      unacknowledged.set(event.report.commandId, event.report);
      const [oldest] = unacknowledged.keys();
      if (unacknowledged.size > MAX_UNACKNOWLEDGED && oldest) unacknowledged.delete(oldest);
    } else if (event.type === "closed") {
      // Screens of terminals that closed long ago are dropped; their recordings stay.
      closedIds.push(event.terminal.id);
      const oldest = closedIds.length > MAX_CLOSED_SCREENS ? closedIds.shift() : undefined;
      if (oldest !== undefined) screens.drop(oldest);
    }
  });
  const close = async () => {
    await terminals.close();
    await containers.settle();
    await screens.close();
  };

  return {
    terminals,
    snapshot: (id, request) => screens.snapshot(id, request),
    unfinished: async () => ({
      running: (await terminals.list()).flatMap(({ id, activity }) =>
        activity.kind === "busy" && activity.commandId !== null
          ? [{ commandId: activity.commandId, terminalId: id }]
          : [],
      ),
      finished: [...unacknowledged.values()],
    }),
    acknowledge: async (commandId) => void unacknowledged.delete(commandId),
    problems: async () => {
      const [message] = failedRecordings.values();
      const count = failedRecordings.size === 1 ? "1 terminal is" : `${failedRecordings.size} terminals are`;
      return message === undefined ? [] : [`${count} not being recorded, so output is missing: ${message}`];
    },
    folder: findFolder,
    namedFiles: (command) => findNamedFiles({ ...command, path: command.path ?? options.baseEnv.PATH ?? "" }),
    readNamedFile,
    recordingPart: (id, request) => readRecordingPart(recordingsDir, id, request),
    dropRecording: async (id, copied) => {
      const isOpen = (await terminals.list()).some((terminal) => terminal.id === id);
      return isOpen ? false : dropCopiedRecording(recordingsDir, id, copied);
    },
    wallFor: async (plan) => {
      const ability = wallAbility(plan);
      if (ability.status === "missing") return ability;
      return { status: "ready", wall: planToWall(plan, { wallsDir: wallsDirOf(dataDir), hidden: [dataDir] }) };
    },
    wallHomeNames: async (agentId) => namesInWallHome(wallsDirOf(dataDir), agentId),
    load: async () => readLoad(),
    processIds: () => [],
    close,
    leave: close,
  };
}

/**
 * Cleans up a data folder after a killed host: closes its recordings, and removes
 * the start-up files of its shells. Call it only while no other process holds terminals there.
 */
export async function cleanUpAfterLostHost(dataDir: string): Promise<{ unreadableRecordings: TerminalId[] }> {
  endLeftGroups(terminalsDirOf(dataDir));
  // Not awaited: an engine that hangs must not keep terminals from starting.
  void new Containers(wallsDirOf(dataDir)).endLeft();
  // What an agent made impossible to remove must not keep this host from starting.
  await removeTree(terminalsDirOf(dataDir)).catch(() => {});
  await removeAccountFolders(terminalsDirOf(dataDir));
  return { unreadableRecordings: await recoverOpenRecordings(recordingsDirOf(dataDir)) };
}

export function recordingsDirOf(dataDir: string): string {
  return join(dataDir, "recordings");
}

/** What the sandboxes of a data folder share, and the homes of the agents in them. */
export function wallsDirOf(dataDir: string): string {
  return join(dataDir, "walls");
}

function terminalsDirOf(dataDir: string): string {
  return join(dataDir, "terminals");
}
