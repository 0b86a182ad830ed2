import { spawn } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** The environment of every tool: the project's own binaries and Node first on the PATH, and telemetry off. */
export const TOOL_ENV = {
  ...process.env,
  PATH: join(ROOT, "node_modules", ".bin") + delimiter + (process.env.PATH ?? ""),
  TURBO_TELEMETRY_DISABLED: "1",
  NEXT_TELEMETRY_DISABLED: "1",
  DO_NOT_TRACK: "1",
};

/** The same with another Node. */
export function withNodeFirst(node, env) {
  return { ...env, PATH: dirname(node) + delimiter + env.PATH };
}

/**
 * Runs a program to its end.
 *
 * `output`: `inherit` shows it, `collect` keeps it for the caller.
 * Resolves with the exit code and what was collected; never throws for a code.
 */
export function run(command, args, { output = "inherit", env = TOOL_ENV, cwd = ROOT, onLine } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = output === "inherit" ? ["ignore", "inherit", "inherit"] : ["ignore", "pipe", "pipe"];
    // In a process group of its own, so that interrupting the set-up also ends the program's children.
    const child = spawn(command, args, { cwd, env, stdio, detached: true });
    const stop = (signal) => {
      endGroup(child, signal);
      process.exitCode = 130;
      child.once("close", () => process.exit());
    };
    for (const signal of STOP_SIGNALS) process.once(signal, stop);
    const settle = () => {
      for (const signal of STOP_SIGNALS) process.off(signal, stop);
    };
    let text = "";
    const collect = (chunk) => {
      text += chunk;
      onLine?.(chunk.toString());
    };
    child.stdout?.on("data", collect);
    child.stderr?.on("data", collect);
    child.on("error", (error) => {
      settle();
      reject(error);
    });
    child.on("close", (code, signal) => {
      settle();
      resolve({ code: code ?? (signal ? 1 : 0), text });
    });
  });
}

export function endGroup(child, signal = "SIGTERM") {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has already ended.
  }
}

/** Exits with one sentence. */
export function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
