import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** Where Belay keeps its data. Separate from the other settings, because a hook needs only this and must start fast. */
export function dataDirOf(env: { BELAY_DATA_DIR?: string; XDG_DATA_HOME?: string }, cwd: string): string {
  return resolve(cwd, env.BELAY_DATA_DIR ?? join(env.XDG_DATA_HOME ?? join(homedir(), ".local/share"), "belay"));
}
