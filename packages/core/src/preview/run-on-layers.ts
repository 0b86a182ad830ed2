import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { CoreError } from "../errors.ts";
import { endFirstWhenOutOfMemory } from "../processes/oom-score.ts";
import { CappedOutput } from "../run-once/capped-output.ts";
import { findProgram } from "../shell/shells.ts";
import { SYSTEM_PATH } from "../walls/system-path.ts";
import { CONTROL, LAYER_SCRIPT, mergedDir, OUT_DIR, upperDir, workDir } from "./layer-script.ts";

export interface LayersRequest {
  roots: readonly string[];
  stage: string;
  argumentsFile: string;
  filter: string;
  input: string;
  /** A bash script, and the folder that is passed to it. */
  program: { script: string; folder: string };
  /** Mount options for layers on this machine. */
  options: string;
  timeoutMs: number;
  maxBytes: number;
  maxOutputBytes: number;
  signal?: AbortSignal;
}

export interface EndedOnLayers {
  /** The path of the file system with the layers, as seen from here while they exist. */
  root: string;
  exitCode: number | null;
  output: string;
  durationMs: number;
  isTimedOut: boolean;
}

/** The exit status of `timeout` after it has killed a program. */
const TIMED_OUT = 137;
/** Added to the program's own time limit, for mounting and for noticing its end. */
const GRACE_MS = 5_000;

/** Runs a program on layers, lets `look` read the result, and then removes the layers. */
export async function runOnLayers<Value>(
  request: LayersRequest,
  look: (ended: EndedOnLayers) => Value | Promise<Value>,
): Promise<Value> {
  const { stage, maxBytes, options, timeoutMs, argumentsFile, filter, input, program, roots, maxOutputBytes } = request;
  const bash = programOf("bash");
  const isRoot = process.getuid?.() === 0;
  const seconds = String(timeoutMs / 1000);
  const child = spawn(
    programOf("unshare"),
    [
      ...(isRoot ? ["-m"] : ["-Urm"]),
      "--propagation",
      "private",
      bash,
      ...["--noprofile", "--norc", "-pc", LAYER_SCRIPT, "belay-preview"],
      ...[stage, String(maxBytes), options, seconds, argumentsFile, filter, input, programOf("bwrap"), bash],
      ...[program.script, program.folder, ...roots],
    ],
    // In its own process group, to be ended as a whole. What mounts gets nothing of the gateway's environment.
    { detached: true, stdio: ["pipe", "pipe", "pipe", "pipe"], env: { PATH: SYSTEM_PATH, LC_ALL: "C" }, cwd: "/" },
  );
  const ended = once(child, "exit");
  const over = new AbortController();
  const { pid } = child;
  try {
    if (pid === undefined) {
      await ended; // throws the reason
      throw new Error("It could not be started.");
    }
    endFirstWhenOutOfMemory(pid);
    request.signal?.addEventListener("abort", () => endGroup(pid), { signal: over.signal });
    if (request.signal?.aborted) endGroup(pid);
    child.stdin?.on("error", () => {}); // it has already ended
    const output = new CappedOutput(maxOutputBytes);
    child.stdout?.on("data", (chunk: Uint8Array) => output.append(chunk));
    let complaint = "";
    child.stderr?.on("data", (chunk: Uint8Array) => {
      complaint = (complaint + Buffer.from(chunk).toString()).slice(-2_000);
    });
    const control = child.stdio[CONTROL] as Readable;
    let said = "";
    let startedAt = performance.now();
    const prepare = () => {
      try {
        prepareStage(join(`/proc/${pid}/root`, stage), roots);
        child.stdin?.write("\n");
      } catch (error) {
        complaint = (error as Error).message;
        endGroup(pid);
      }
    };
    const told = new Promise<void>((resolve) => {
      control.on("data", (chunk: Uint8Array) => {
        said += Buffer.from(chunk).toString();
        if (said === "staged\n") prepare();
        if (said.endsWith("ready\n")) startedAt = performance.now();
      });
      control.on("close", resolve);
    });
    const late = new Promise<"late">((resolve) => setTimeout(resolve, timeoutMs + GRACE_MS, "late").unref());
    const closed = child.stdout ? once(child.stdout, "close") : null;
    const first = await Promise.race([Promise.all([told, closed]), late]);
    const durationMs = performance.now() - startedAt;
    const status = /^ended (\d+)$/m.exec(said)?.[1];
    request.signal?.throwIfAborted();
    if (first === "late" || status === undefined) {
      throw new CoreError("preview-unavailable", `The layers could not be made here. ${complaint.trim()}`.trim());
    }
    if (complaint !== "") output.append(Buffer.from(complaint));
    const isTimedOut = Number(status) === TIMED_OUT && durationMs >= timeoutMs;
    const exitCode = isTimedOut ? null : Number(status);
    return await look({ root: `/proc/${pid}/root`, exitCode, output: output.toText(), durationMs, isTimedOut });
  } finally {
    over.abort();
    if (pid !== undefined && child.exitCode === null) endGroup(pid);
    await ended.catch(() => {}); // already reported above
  }
}

/** Creates the folders of the layers. The upper one gets the owner, mode and times of the folder below. */
function prepareStage(stage: string, roots: readonly string[]): void {
  mkdirSync(join(stage, OUT_DIR));
  for (const [at, root] of roots.entries()) {
    const upper = join(stage, upperDir(at));
    for (const folder of [upper, join(stage, workDir(at)), join(stage, mergedDir(at))]) {
      mkdirSync(folder, { recursive: true });
    }
    const { uid, gid, mode, atime, mtime } = statSync(root);
    try {
      chownSync(upper, uid, gid);
    } catch {
      // Only root can; for other users the folder is already their own.
    }
    chmodSync(upper, mode & 0o7777);
    utimesSync(upper, atime, mtime);
  }
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has just ended.
  }
}

function programOf(name: string): string {
  const found = findProgram(name, SYSTEM_PATH);
  if (found) return found;
  throw new CoreError("preview-unavailable", `A preview needs "${name}", which is not installed.`);
}
