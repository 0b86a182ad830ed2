import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const TESTING = "../../apps/agent-gateway/src/testing";

export interface Program {
  child: ChildProcess;
  ended: Promise<unknown>;
  nextLine(): Promise<string>;
}

/** Starts a program of the gateway's `testing` folder, which answers in lines and ends with its input. */
export function startProgram(path: string, ...args: string[]): Program {
  const file = fileURLToPath(new URL(`${TESTING}/${path}`, import.meta.url));
  const child: ChildProcess = spawn("tsx", [file, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "close");
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  const nextLine = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${path} ended too early.`);
    return value as string;
  };
  return { child, ended, nextLine };
}
