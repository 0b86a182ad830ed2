import { homedir } from "node:os";
import {
  cleanUpAfterLostHost,
  createLocalHost,
  hostEndpoint,
  installTrash,
  launchHost,
  openRemoteHost,
  PROTOCOL,
  prepareHostFolder,
  type TerminalHost,
} from "@belay/core";
import type { Logger } from "pino";
import { GatewayError } from "../errors.ts";
import { HOST_PROGRAM } from "../paths.ts";
import { acquireLock } from "../store/lock.ts";
import { VERSION } from "../version.ts";

/** Where terminals live: in a separate process, or in this one for as long as it runs. */
export type TerminalsPlace = "own-process" | "this-process";

interface Options {
  place: TerminalsPlace;
  dataDir: string;
  trashDir: string;
  baseEnv: Record<string, string>;
  now: () => number;
  log: Logger;
}

export interface OpenTerminals {
  host: TerminalHost;
  /** Claims the terminals of the data folder for this process; a separate host has already done so. */
  claim(): Promise<void>;
  release(): void;
}

/** The terminals, each with a recording and a screen, and with a trash for agents' `rm`. */
export function openTerminals(options: Options): Promise<OpenTerminals> {
  return options.place === "own-process" ? openInOwnProcess(options) : openHere(options);
}

async function openInOwnProcess({ dataDir, trashDir, baseEnv, now, log }: Options): Promise<OpenTerminals> {
  const host = await openRemoteHost({
    endpoint: hostEndpoint(dataDir),
    protocol: PROTOCOL,
    program: `Belay ${VERSION}`,
    surroundings: { baseEnv, trashDir, home: homedir() },
    launch: () => launchHost({ dataDir, entry: HOST_PROGRAM, env: baseEnv }),
    now,
    onProblem: (error) => log.error({ err: error }, "problem in the host"),
  });
  return { host, claim: async () => {}, release: () => {} };
}

async function openHere({ dataDir, trashDir, baseEnv, now, log }: Options): Promise<OpenTerminals> {
  const host = createLocalHost({
    dataDir,
    baseEnv,
    now,
    shims: await installTrash({ trashDir, home: homedir() }),
    onRecordingFailed: (terminalId, error) => log.error({ err: error, terminalId }, "a recording failed"),
  });
  let lock: { release(): void } | null = null;
  return {
    host,
    claim: async () => {
      const endpoint = hostEndpoint(dataDir);
      await prepareHostFolder(endpoint);
      lock = acquireLock(endpoint.lock);
      if (!lock) {
        throw new GatewayError("already-running", `Another process holds the terminals of ${dataDir}. Stop it first.`);
      }
      const { unreadableRecordings } = await cleanUpAfterLostHost(dataDir);
      for (const terminalId of unreadableRecordings) log.warn({ terminalId }, "a recording cannot be read");
    },
    release: () => lock?.release(),
  };
}
