import type { CommandReport, TerminalId } from "@belay/protocol";
import type { HeldLimits } from "../limits/resource-limiter.ts";
import type { PreparedSpawn } from "../pool/prepare-spawn.ts";
import type { SpawnRequest } from "../pool/requests.ts";
import type { TerminalFolder } from "../pool/terminal-folder.ts";
import type { OpenPty } from "../pty/pty.ts";
import type { OpenTap } from "./tap.ts";
import type { Terminal } from "./terminal.ts";

export interface TerminalOptions extends PreparedSpawn {
  id: TerminalId;
  request: SpawnRequest;
  openPty: OpenPty;
  /** Keeps its programs within their limits; null if there are none. */
  held: HeldLimits | null;
  openTap: OpenTap | null;
  /** A shell that is started in advance and has no owner until it is adopted. */
  isWarm: boolean;
  now: () => number;
  maxOutputBytes: number;
  folder: TerminalFolder;
  events: TerminalEvents;
}

export interface TerminalEvents {
  onChanged(terminal: Terminal): void;
  /** Before its processes are ended. */
  onClosing(terminal: Terminal): void;
  onClosed(terminal: Terminal): void;
  onCommandFinished(report: CommandReport): void;
}
