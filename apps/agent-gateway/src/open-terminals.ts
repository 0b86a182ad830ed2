import { homedir } from "node:os";
import { join } from "node:path";
import {
  bothTaps,
  createLocalPool,
  installTrash,
  recordingTap,
  Screens,
  screenTap,
  type TerminalPool,
} from "@belay/core";
import type { Logger } from "pino";
import { newId } from "./new-id.ts";

/** As many as the pool keeps readable itself. */
const MAX_CLOSED_SCREENS = 100;

interface Options {
  dataDir: string;
  recordingsDir: string;
  trashDir: string;
  baseEnv: Record<string, string>;
  now: () => number;
  log: Logger;
}

/** The pool, with a recording and a screen for every terminal, and with a trash for what agents remove. */
export async function openTerminals({
  dataDir,
  recordingsDir,
  trashDir,
  baseEnv,
  now,
  log,
}: Options): Promise<{ terminals: TerminalPool; screens: Screens }> {
  const screens = new Screens();
  const onFailed = (terminalId: string, error: Error) => log.error({ err: error, terminalId }, "a recording failed");
  const terminals = createLocalPool({
    newId: () => newId("pty"),
    now,
    dataDir: join(dataDir, "terminals"),
    baseEnv,
    standIns: await installTrash({ trashDir, home: homedir() }),
    openTap: bothTaps(recordingTap({ dir: recordingsDir, now, onFailed }), screenTap({ screens, recordingsDir })),
  });
  dropScreensOfClosed(terminals, screens);
  return { terminals, screens };
}

/** Screens of terminals that closed long ago make room; their recordings stay. */
function dropScreensOfClosed(terminals: TerminalPool, screens: Screens): void {
  const closed: string[] = [];
  terminals.subscribe((event) => {
    if (event.type !== "closed") return;
    closed.push(event.terminal.id);
    const oldest = closed.length > MAX_CLOSED_SCREENS ? closed.shift() : undefined;
    if (oldest !== undefined) screens.drop(oldest);
  });
}
