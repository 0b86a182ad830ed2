import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

// The built program, as people run it. `npm test` builds it first.
const BELAY = fileURLToPath(new URL("../../../bin/belay.mjs", import.meta.url));

/** Another machine: a real `belay host --join` with its own data folder. */
export interface TestMachine {
  child: ChildProcess;
  dataDir: string;
  workspace: string;
  /** Everything that it printed so far. */
  printed(): string;
  /** Resolves once it has printed this. */
  says(text: string): Promise<void>;
  ended: Promise<number | null>;
}

interface Options {
  url: string;
  token?: string;
  /** Of an earlier one, to start it again. */
  dataDir?: string;
  workspace?: string;
  /** More of its environment. */
  env?: Record<string, string>;
}

export async function startMachine(options: Options): Promise<TestMachine> {
  const { url, token } = options;
  const dataDir = options.dataDir ?? (await temporary("belay-machine-"));
  const workspace = options.workspace ?? (await temporary("belay-machine-work-"));
  const child = spawn(process.execPath, [BELAY, "host", "--join", url], {
    env: {
      PATH: process.env.PATH,
      HOME: workspace,
      BELAY_DATA_DIR: dataDir,
      BELAY_WORKSPACE: workspace,
      ...(token === undefined ? {} : { BELAY_JOIN_TOKEN: token }),
      ...options.env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      text += chunk;
      for (const look of waiting) look();
    });
  const ended = once(child, "close").then(([code]) => code as number | null);
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  return {
    child,
    dataDir,
    workspace,
    printed: () => text,
    says: (wanted) =>
      new Promise<void>((resolve, reject) => {
        const look = () => {
          if (!text.includes(wanted)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
        void ended.then((code) => reject(new Error(`It ended with ${code} and never said "${wanted}": ${text}`)));
      }),
    ended,
  };
}

async function temporary(prefix: string): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), prefix)));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
