import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createLocalPool,
  type LocalPoolOptions,
  type SpawnRequest,
  shellRequest,
  type TerminalPool,
} from "@belay/core";
import { formatId, type TerminalId } from "@belay/protocol";
import { addRow } from "./harness/report.ts";

/** The part of node-pty that the plain comparisons use. */
export interface PlainPty {
  pid: number;
  onData(listener: (data: Buffer) => void): unknown;
  onExit(listener: () => void): unknown;
  write(data: string): void;
  kill(): void;
}

const require = createRequire(import.meta.resolve("@belay/core"));
const nodePty: { spawn(file: string, args: string[], options: object): PlainPty } = require("node-pty");

/** A program under plain node-pty, with Buffers: the baseline without Belay. */
export function spawnPlain(file: string, args: string[]): PlainPty {
  return nodePty.spawn(file, args, { cols: 80, rows: 24, cwd: "/", env: { PATH: process.env.PATH }, encoding: null });
}

export interface BenchPool {
  pool: TerminalPool;
  folder: string;
  spawn(overrides?: Partial<SpawnRequest>): Promise<TerminalId>;
  run(id: TerminalId, line: string): ReturnType<TerminalPool["run"]>;
  close(): Promise<void>;
}

export function openBenchPool(options: Partial<LocalPoolOptions> = {}): BenchPool {
  const folder = mkdtempSync(join(tmpdir(), "belay-bench-"));
  let commands = 0;
  const pool = createLocalPool({
    dataDir: join(folder, "data"),
    baseEnv: { PATH: process.env.PATH ?? "", HOME: folder, LANG: "C.UTF-8" },
    newId: () => formatId("pty", randomBytes(16)),
    now: () => Date.now(),
    ...options,
  });
  return {
    pool,
    folder,
    spawn: async (overrides) => {
      const { id } = await pool.spawn(shellRequest(folder, overrides));
      return id;
    },
    run: (id, line) =>
      pool.run(id, {
        commandId: `cmd-${++commands}`,
        line,
        wait: { type: "idle", idleMs: null, timeoutMs: 120_000 },
      }),
    close: async () => {
      await pool.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Coloured log lines in UTF-8, as programs print them. */
export function writeLog(path: string, megabytes: number): void {
  const lines = Array.from(
    { length: 2000 },
    (_, at) =>
      `\x1b[90m12:00:${String(at % 60).padStart(2, "0")}\x1b[0m \x1b[32mINFO\x1b[0m wörker ${at}: done in ${at % 91} ms\n`,
  ).join("");
  writeFileSync(path, lines.repeat(Math.ceil((megabytes * 1e6) / Buffer.byteLength(lines))));
}

/** A row whose goal is written out: "≥ 0.70", "≤ 3", or nothing. */
export function report(what: string, measured: string, value: number, goal: "" | `≥ ${number}` | `≤ ${number}`): void {
  const wanted = Number(goal.slice(2));
  addRow({
    what,
    measured,
    value,
    goal: goal === "" ? null : goal.startsWith("≥") ? { atLeast: wanted } : { atMost: wanted },
    peers: {},
  });
}
