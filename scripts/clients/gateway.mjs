import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

export const ADMIN = { email: "admin@belay.test", password: "correct horse battery" };

/** A program that does not exist. Others that Belay does not know are asked about. */
const RULES = [
  { id: "no-forbidden-tool", decision: "deny", program: "forbidden-tool", reason: "The team does without this tool." },
];

/** A gateway of its own, with the folder that the clients work in as its workspace. */
export async function startGateway(dir, workspace, program) {
  const dataDir = join(dir, "data");
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, "security.json"), JSON.stringify({ rules: RULES }));
  const env = {
    PATH: process.env.PATH,
    HOME: dataDir,
    BELAY_PORT: "0",
    BELAY_DATA_DIR: dataDir,
    BELAY_WORKSPACE: workspace,
    BELAY_ADMIN_EMAIL: ADMIN.email,
    BELAY_ADMIN_PASSWORD: ADMIN.password,
  };
  const child = spawn(process.execPath, [program, "start"], { env, stdio: ["ignore", "pipe", "inherit"] });
  const stop = async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGCONT");
    child.kill("SIGTERM");
    await ended;
  };
  const url = await readyUrl(child);
  return {
    url,
    dataDir,
    stop,
    /** Stops the process where it is: it takes connections, but answers nothing. */
    hang: () => child.kill("SIGSTOP"),
    goOn: () => child.kill("SIGCONT"),
  };
}

/** Goes on reading what the gateway prints, or its next line would stop it. */
function readyUrl(child) {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const url = /^Belay is ready at (\S+)$/.exec(line)?.[1];
      if (url) resolve(url);
    });
    child.once("exit", () => reject(new Error("The gateway ended before it was ready.")));
  });
}
