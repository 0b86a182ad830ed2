import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { databaseFor } from "./database/database-for.ts";
import { endHost } from "./end-host.ts";

// The built program, as people run it. `npm test` builds it first.
const BELAY = fileURLToPath(new URL("../../bin/belay.mjs", import.meta.url));

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface BelayProcess {
  child: ChildProcess;
  /** The address, once it listens. */
  ready: Promise<string>;
  ended: Promise<Ended>;
}

/** Runs `belay …` on a data folder, wrapped by the command `through` if given. */
export function runBelay(
  dataDir: string,
  args: string[],
  through: string[] = [],
  input?: string,
  env: Record<string, string> = {},
): BelayProcess {
  const [program = "", ...rest] = [...through, process.execPath, BELAY, ...args];
  const child = spawn(program, rest, {
    // Outside the data folder, which no agent may touch.
    env: {
      ...{ PATH: process.env.PATH, HOME: dataDir, BELAY_DATA_DIR: dataDir, BELAY_WORKSPACE: tmpdir(), BELAY_PORT: "0" },
      ...databaseFor(dataDir),
      ...env,
    },
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  child.stdin?.end(input);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await endHost(dataDir);
  });
  const ended = finish(child);
  const ready = new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk) => {
      text += chunk;
      const url = /^Belay is ready at (\S+)$/m.exec(text)?.[1];
      if (url) resolve(url);
    });
    ended.then(({ stderr }) => reject(new Error(`It ended before it was ready: ${stderr}`)), reject);
  });
  ready.catch(() => {}); // most callers only check how it ended
  return { child, ready, ended };
}

/** Runs a CLI command and returns its JSON output. */
export async function belayJson(dataDir: string, ...args: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await runBelay(dataDir, [...args, "--json"]).ended;
  if (code !== 0) throw new Error(`belay ${args.join(" ")} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

/** Adds the first admin, and signs in as them in this test's own kernel session. */
export async function signInOnCommandLine(dataDir: string): Promise<void> {
  const email = "admin@belay.test";
  const { password } = (await belayJson(dataDir, "user", "add", email, "--role", "admin")) as { password: string };
  const { code, stderr } = await runBelay(dataDir, ["login", email, "--password-stdin"], [], password).ended;
  if (code !== 0) throw new Error(`belay login ended with ${code}: ${stderr}`);
}

async function finish(child: ChildProcess): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk) => (stdout += chunk));
  child.stderr?.on("data", (chunk) => (stderr += chunk));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}
