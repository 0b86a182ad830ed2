import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRemoteHost } from "../host/connect/client.ts";
import type { HeartbeatOptions } from "../host/connect/heartbeat.ts";
import { launchHost } from "../host/connect/launch.ts";
import { createLocalHost } from "../host/local-host.ts";
import type { TerminalHost } from "../host/terminal-host.ts";
import { hostEndpoint } from "../host/wire/endpoint.ts";
import { PROTOCOL, type Surroundings, type VersionRange } from "../host/wire/messages.ts";

export const HOST_PROGRAM = new URL("./host-process.ts", import.meta.url);

/** A temporary data folder, and hosts on it: in this process, or in their own. */
export interface HostFolder {
  dataDir: string;
  /** Home and working directory of terminals. */
  folder: string;
  openLocal(): Promise<TerminalHost>;
  openRemote(overrides?: RemoteOverrides): Promise<TerminalHost>;
  remove(): Promise<void>;
}

interface RemoteOverrides {
  protocol?: VersionRange;
  socket?: string;
  unusedMs?: number;
  heartbeat?: HeartbeatOptions;
}

export async function createHostFolder({ dataDirName = "data" } = {}): Promise<HostFolder> {
  const root = await mkdtemp(join(tmpdir(), "belay-host-"));
  const dataDir = join(root, dataDirName);
  const folder = await mkdtemp(join(tmpdir(), "belay-home-"));
  const baseEnv = { PATH: process.env.PATH ?? "", HOME: folder, LANG: "C.UTF-8" };
  const surroundings: Surroundings = { baseEnv, trashDir: null, home: folder };
  return {
    dataDir,
    folder,
    openLocal: async () => createLocalHost({ dataDir, baseEnv, now: () => Date.now(), onRecordingFailed: () => {} }),
    openRemote: ({ protocol = PROTOCOL, socket = hostEndpoint(dataDir).socket, unusedMs = 60_000, heartbeat } = {}) =>
      openRemoteHost({
        endpoint: { ...hostEndpoint(dataDir), socket },
        protocol,
        program: "test",
        surroundings,
        ...(heartbeat && { heartbeat }),
        launch: () => launchHost({ dataDir, entry: HOST_PROGRAM, env: { ...baseEnv, UNUSED_MS: String(unusedMs) } }),
        now: () => Date.now(),
        onProblem: (error) => process.stderr.write(`${error.stack}\n`),
      }),
    remove: async () => {
      // A running host may still write into it.
      for (const path of [root, folder])
        await rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}
