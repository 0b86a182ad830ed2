import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import type { ReachedLimit } from "@belay/protocol";
import { endProcesses, MARKER_VARIABLE } from "../processes/end-processes.ts";
import { endFirstWhenOutOfMemory } from "../processes/oom-score.ts";
import { CappedOutput } from "./capped-output.ts";

export const RUN_ONCE_DEFAULTS = {
  timeoutMs: 120_000,
  /** For each of stdout, stderr and both together. */
  maxOutputBytes: 10_000_000,
  /** Between SIGTERM and SIGKILL. */
  graceMs: 2_000,
};

/** How long pipes are read after the program has ended, and again after its group has. */
const DRAIN_MS = 250;

export interface RunOnceRequest {
  /** Executed directly, without a shell. */
  argv: readonly [program: string, ...args: string[]];
  cwd: string;
  /** The whole environment: nothing is inherited. */
  env: Record<string, string>;
  /** The program's stdin; empty if not given. */
  input?: string | Uint8Array;
  timeoutMs?: number;
  maxOutputBytes?: number;
  graceMs?: number;
  signal?: AbortSignal;
  /** Unique to this run, and set in the environment, to find processes that left their group. */
  marker: string;
}

export interface RunOnceResult {
  /** It ran to its end with exit code 0. */
  ok: boolean;
  stdout: string;
  stderr: string;
  /** Both together, in the order in which they arrived. */
  output: string;
  /** Null if a signal ended it, or it never started. */
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** Why it is not ok, for people; null if the exit code explains it. */
  error: string | null;
  isTimedOut: boolean;
  /** How much of `output` was left out in the middle. */
  omittedBytes: number;
  durationMs: number;
  /** What it ran out of. */
  limit?: ReachedLimit;
}

/**
 * Runs a program with pipes, to its end.
 *
 * It gets its own process group. At the time limit, or if the caller aborts,
 * the group and everything that escaped from it is ended; when it ends by itself,
 * the rest of its group is ended, too: only processes that daemonised
 * outlive the call.
 */
export async function runOnce(request: RunOnceRequest): Promise<RunOnceResult> {
  const { timeoutMs, maxOutputBytes, graceMs } = { ...RUN_ONCE_DEFAULTS, ...definedOnly(request) };
  const startedAt = performance.now();
  const stdout = new CappedOutput(maxOutputBytes);
  const stderr = new CappedOutput(maxOutputBytes);
  const output = new CappedOutput(maxOutputBytes);
  const result = (outcome: Partial<RunOnceResult>): RunOnceResult => ({
    ok: false,
    stdout: stdout.toText(),
    stderr: stderr.toText(),
    output: output.toText(),
    exitCode: null,
    signal: null,
    error: null,
    isTimedOut: false,
    omittedBytes: output.omittedBytes,
    durationMs: performance.now() - startedAt,
    ...outcome,
  });

  if (request.signal?.aborted) return result({ error: "Cancelled before it started." });
  const isFolder = await stat(request.cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return result({ error: `No folder "${request.cwd}" to run in.` });

  const started = await start(request);
  if (started instanceof Error) return result({ error: describeStartFailure(request.argv[0], started) });
  const { child, pid } = started;
  const collect = (into: CappedOutput) => (chunk: Uint8Array) => {
    into.append(chunk);
    output.append(chunk);
  };
  child.stdout?.on("data", collect(stdout));
  child.stderr?.on("data", collect(stderr));
  // A program may end without reading its input, which is not an error.
  child.stdin?.on("error", () => {}).end(request.input);

  const closed = once(child, "close");
  const stopReason = await raceToExit(child, { timeoutMs, signal: request.signal });
  if (stopReason) {
    await endGroup(child, { pid, graceMs, marker: request.marker });
  } else {
    // A background helper may still be printing part of the result.
    await withTimeout(closed, DRAIN_MS);
    signalGroup(pid, "SIGKILL");
  }
  await withTimeout(closed, DRAIN_MS);
  child.stdout?.destroy();
  child.stderr?.destroy();

  const { exitCode, signalCode: signal } = child;
  if (stopReason === "timeout") {
    return result({ exitCode, signal, isTimedOut: true, error: `Ended after ${timeoutMs / 1_000} s, its time limit.` });
  }
  if (stopReason === "aborted") return result({ exitCode, signal, error: "Cancelled." });
  if (signal) return result({ signal, error: `Ended by ${signal}.` });
  return result({ ok: exitCode === 0, exitCode });
}

function definedOnly({ timeoutMs, maxOutputBytes, graceMs }: RunOnceRequest): Partial<typeof RUN_ONCE_DEFAULTS> {
  return {
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(maxOutputBytes !== undefined && { maxOutputBytes }),
    ...(graceMs !== undefined && { graceMs }),
  };
}

async function start({
  argv,
  cwd,
  env,
  input,
  marker,
}: RunOnceRequest): Promise<{ child: ChildProcess; pid: number } | Error> {
  const [program, ...args] = argv;
  try {
    const child = spawn(program, args, {
      cwd,
      env: { ...env, [MARKER_VARIABLE]: marker },
      detached: true,
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
    if (child.pid !== undefined) {
      endFirstWhenOutOfMemory(child.pid);
      return { child, pid: child.pid };
    }
    const [error] = await once(child, "error");
    return error as Error;
  } catch (error) {
    // An argument with a NUL, or an argument list that is too long, throws at once.
    return error as Error;
  }
}

function describeStartFailure(program: string, error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return `No program "${program}" found.`;
  if (error.code === "EACCES") return `"${program}" may not be executed.`;
  return `"${program}" could not be started: ${error.message}`;
}

async function raceToExit(
  child: ChildProcess,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal | undefined },
): Promise<"timeout" | "aborted" | null> {
  const stop = new AbortController();
  try {
    return await new Promise((resolve) => {
      const timer = setTimeout(() => resolve("timeout"), timeoutMs);
      stop.signal.addEventListener("abort", () => clearTimeout(timer));
      signal?.addEventListener("abort", () => resolve("aborted"), { signal: stop.signal });
      child.once("exit", () => resolve(null));
    });
  } finally {
    stop.abort();
  }
}

async function endGroup(
  child: ChildProcess,
  { pid, graceMs, marker }: { pid: number; graceMs: number; marker: string },
): Promise<void> {
  const hasExited = () => child.exitCode !== null || child.signalCode !== null;
  signalGroup(pid, "SIGTERM");
  // A stopped process handles no other signal.
  signalGroup(pid, "SIGCONT");
  if (!hasExited()) await withTimeout(once(child, "exit"), graceMs);
  signalGroup(pid, "SIGKILL");
  await endProcesses({ leaderPid: pid, hasLeaderExited: hasExited, marker });
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is empty.
  }
}

async function withTimeout(promise: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, elapsed]);
  clearTimeout(timer);
}
