import type { TerminalInfo } from "@belay/protocol";
import { afterEach, beforeEach } from "vitest";
import type { TerminalHost } from "../host/terminal-host.ts";
import type { SpawnRequest } from "../pool/requests.ts";
import { shellRequest } from "../pool/shell-request.ts";
import { findPids } from "./chaos/processes.ts";
import { createHostFolder, type HostFolder } from "./test-host.ts";

export interface RemoteHostTest {
  readonly folder: HostFolder;
  /** A connection to the host of that folder. */
  readonly host: TerminalHost;
  spawn(overrides?: Partial<SpawnRequest>): Promise<TerminalInfo>;
  hostPid(): number;
}

/** A host in a separate process, new for each test of the file. */
export function useRemoteHost(): RemoteHostTest {
  let folder: HostFolder;
  let host: TerminalHost;
  beforeEach(async () => {
    folder = await createHostFolder();
    host = await folder.openRemote();
  });
  afterEach(async () => {
    await host.close();
    await folder.remove();
  });
  return {
    get folder() {
      return folder;
    },
    get host() {
      return host;
    },
    spawn: (overrides) => host.terminals.spawn({ ...bashIn(folder.folder), ...overrides }),
    hostPid: () => findPids("cmdline", `\0${folder.dataDir}\0`)[0] as number,
  };
}

export function bashIn(cwd: string): SpawnRequest {
  return shellRequest(cwd, { program: { type: "shell", shell: "bash", login: false } });
}
