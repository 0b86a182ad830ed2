import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { dataDirOf } from "../../../data-dir.ts";

/** The part of the environment that a hook needs. Read without the schema of all settings, whose loading would take longer than the rest. */
export interface HookEnv {
  dataDir: string;
  securityFile: string;
  /** Another machine's gateway, and the token for it; null: the one on this machine. */
  remote: { url: string; token: string } | null;
  isInsideTerminal: boolean;
}

export function readHookEnv(env: NodeJS.ProcessEnv = process.env, cwd: string = process.cwd()): HookEnv {
  const dataDir = dataDirOf(withoutEmpty(env), cwd);
  const tokenFile = env.BELAY_TOKEN_FILE;
  const token = env.BELAY_TOKEN ?? (tokenFile ? readFileSync(resolve(cwd, tokenFile), "utf8").trim() : undefined);
  if (env.BELAY_URL && !token) throw new Error("BELAY_URL needs BELAY_TOKEN beside it.");
  return {
    dataDir,
    securityFile: resolve(cwd, env.BELAY_SECURITY_FILE || join(dataDir, "security.json")),
    remote: token ? { url: env.BELAY_URL || `http://127.0.0.1:${env.BELAY_PORT || 7400}`, token } : null,
    isInsideTerminal: env.BELAY_TERMINAL !== undefined,
  };
}

function withoutEmpty({ BELAY_DATA_DIR, XDG_DATA_HOME }: NodeJS.ProcessEnv) {
  return { ...(BELAY_DATA_DIR ? { BELAY_DATA_DIR } : {}), ...(XDG_DATA_HOME ? { XDG_DATA_HOME } : {}) };
}
