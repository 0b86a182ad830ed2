import { spawn } from "node:child_process";
import { open, readFile } from "node:fs/promises";
import { CoreError } from "../../errors.ts";
import { nodeArguments } from "../../own-programs.ts";
import { hostEndpoint, prepareHostFolder } from "../wire/endpoint.ts";

/** What a host prints when it is ready, and its exit code if another one is running. */
export const READY_LINE = "ready\n";
export const EXIT_ALREADY_RUNNING = 3;

const START_LIMIT_MS = 30_000;
const MAX_LOG_CHARS = 2_000;

export interface LaunchOptions {
  dataDir: string;
  /** The program: a file that calls `runHost`, with the data folder as its argument. */
  entry: URL;
  env: Record<string, string>;
}

/**
 * Starts a host that outlives this process, and resolves when it is ready,
 * or when it finds that another one is running.
 *
 * It gets its own session, so that neither a signal to this process's group nor the
 * end of its terminal reaches it; it inherits only a log file from this process.
 */
export async function launchHost({ dataDir, entry, env }: LaunchOptions): Promise<void> {
  const endpoint = hostEndpoint(dataDir);
  await prepareHostFolder(endpoint);
  const log = await open(endpoint.log, "a", 0o600);
  try {
    const child = spawn(process.execPath, [...nodeArguments(entry), dataDir], {
      detached: true,
      stdio: ["ignore", "pipe", log.fd],
      cwd: "/",
      env,
    });
    const exitCode = await new Promise<number | null | "ready">((resolve, reject) => {
      const timer = setTimeout(() => child.kill("SIGKILL"), START_LIMIT_MS);
      child.once("error", reject);
      child.once("exit", (code) => {
        clearTimeout(timer);
        resolve(code);
      });
      child.stdout?.once("data", () => {
        clearTimeout(timer);
        resolve("ready");
      });
    });
    child.stdout?.destroy();
    child.unref();
    if (exitCode === "ready" || exitCode === EXIT_ALREADY_RUNNING) return;
    const logEnd = (await readFile(endpoint.log, "utf8")).trim().slice(-MAX_LOG_CHARS);
    throw new CoreError(
      "host-failed",
      `The process that holds the terminals did not start. ${endpoint.log} ends with:\n${logEnd}`,
    );
  } finally {
    await log.close();
  }
}
