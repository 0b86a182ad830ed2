import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandId, CommandReport, TerminalId, TerminalInfo } from "@belay/protocol";
import { createLocalPool, type LocalPoolOptions } from "../pool/local-pool.ts";
import type { RunRequest, SpawnRequest } from "../pool/requests.ts";
import { shellRequest } from "../pool/shell-request.ts";
import type { TerminalPool } from "../pool/terminal-pool.ts";

/** A pool with an empty home folder, and shortcuts for tests. */
export interface TestPool {
  pool: TerminalPool;
  /** Home and working directory of its terminals; deleted at the end. */
  folder: string;
  spawn(overrides?: Partial<SpawnRequest>): Promise<TerminalInfo>;
  run(id: TerminalId, line: string, overrides?: Partial<RunRequest>): Promise<CommandReport>;
  /** Runs a command to its end, through any intermediate states. */
  untilFinished(report: CommandReport): Promise<CommandReport>;
  outputOf(report: CommandReport): Promise<string>;
  close(): Promise<void>;
}

/** Long enough for a busy machine, and never reached on an idle one. */
export const patiently = { type: "idle", idleMs: null, timeoutMs: 50_000 } as const;

export async function openTestPool(options: Partial<LocalPoolOptions> = {}): Promise<TestPool> {
  const folder = await mkdtemp(join(tmpdir(), "belay-core-"));
  let terminals = 0;
  let commands = 0;
  const pool = createLocalPool({
    dataDir: join(folder, "data"),
    baseEnv: { PATH: process.env.PATH ?? "", HOME: folder, LANG: "C.UTF-8" },
    newId: () => `pty-${++terminals}`,
    now: () => Date.now(),
    ...options,
  });
  const reports = new Map<CommandId, CommandReport>();
  const waiting = new Map<CommandId, (report: CommandReport) => void>();
  pool.subscribe((event) => {
    if (event.type !== "commandFinished") return;
    reports.set(event.report.commandId, event.report);
    waiting.get(event.report.commandId)?.(event.report);
  });
  return {
    pool,
    folder,
    spawn: (overrides) => pool.spawn(shellRequest(folder, overrides)),
    run: (id, line, overrides) => pool.run(id, { commandId: `cmd-${++commands}`, line, wait: patiently, ...overrides }),
    untilFinished: ({ commandId }) =>
      new Promise((resolve) => {
        const finished = reports.get(commandId);
        if (finished) resolve(finished);
        else waiting.set(commandId, resolve);
      }),
    outputOf: async ({ terminalId, startPosition, endPosition }) => {
      const maxBytes = endPosition - startPosition;
      const { bytes } = await pool.read(terminalId, { fromPosition: startPosition, maxBytes });
      return Buffer.from(bytes).toString();
    },
    close: async () => {
      await pool.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
