import type { CommandId, CommandReport, TerminalId } from "@belay/protocol";
import type { TerminalPool } from "../pool/terminal-pool.ts";
import type { ScreenSnapshot } from "../render/screen.ts";

/**
 * Terminals together with what is kept of them: screens, recordings, results that
 * nobody has fetched. It lives in this process, or in one of its own that goes on
 * when this one ends; nobody above can tell which.
 */
export interface TerminalHost {
  readonly terminals: TerminalPool;
  /** The screen of a terminal as it is; null where nothing is known of it. */
  snapshot(id: TerminalId, request: { scrollbackLines: number }): Promise<ScreenSnapshot | null>;

  /** What an earlier caller started and may not have heard the end of. */
  unfinished(): Promise<UnfinishedCommands>;
  /** How this command ended is on record: the host need not keep it any more. */
  acknowledge(commandId: CommandId): Promise<void>;

  /** The process that holds the terminals, where it is another one: nobody in a terminal should reach it. */
  processIds(): number[];

  /** Ends every terminal, then the host. */
  close(): Promise<void>;
  /** Lets go of the host. Terminals in a process of their own go on; those in this process end. */
  leave(): Promise<void>;
}

export interface UnfinishedCommands {
  running: { commandId: CommandId; terminalId: TerminalId }[];
  /** Those that ended and were not acknowledged, oldest first. */
  finished: CommandReport[];
}
