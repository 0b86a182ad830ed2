import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { loadSecret } from "../../store/secret.ts";

/**
 * A secret in the data folder that lets a script work without a person: add, revoke and freeze agents, and read
 * the record. It cannot answer approvals, change the policy or widen anyone's rights. Only the owner of the folder can
 * read it, and the policy keeps agents out of that folder.
 */
export function loadControlToken(dataDir: string): string {
  return loadSecret(tokenFile(dataDir), "which lets scripts in on the control socket");
}

/** Null if there is none yet, or this user may not read it. */
export function readControlToken(dataDir: string): Promise<string | null> {
  return readFile(tokenFile(dataDir), "utf8").catch(() => null);
}

function tokenFile(dataDir: string): string {
  return join(dataDir, "keys", "control-token");
}
