import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Settings that nobody else should read. Each has a form with _FILE at its end that names a file instead. */
const SECRETS = ["BELAY_ADMIN_PASSWORD", "BELAY_OIDC_CLIENT_SECRET", "BELAY_METRICS_TOKEN", "BELAY_TOKEN"];
const HANDED_OVER = "BELAY_SECRETS_HANDED_OVER";

/**
 * Takes secrets out of the environment that the kernel shows of this process (`ps e`, /proc/PID/environ), which every
 * program of the same user can read. That is what a process was started with, and it cannot be changed afterwards: so
 * the process becomes itself again without them, and finds them in a file that is removed as soon as it is read.
 *
 * Returns them; `process.env` has none of them.
 */
export function hideSecrets() {
  const found = SECRETS.filter((name) => process.env[name] !== undefined);
  if (found.length === 0) return takeHandedOver();
  const secrets = Object.fromEntries(found.map((name) => [name, process.env[name]]));
  for (const name of found) delete process.env[name];
  if (typeof process.execve === "function" && process.platform !== "win32") becomeAnew(secrets);
  return secrets;
}

function becomeAnew(secrets) {
  const folder = mkdtempSync(join(tmpdir(), "belay-start-"));
  const file = join(folder, "secrets");
  try {
    writeFileSync(file, JSON.stringify(secrets), { mode: 0o600, flag: "wx" });
    // It is marked as experimental, and says so; nobody who starts Belay can do anything about that.
    process.removeAllListeners("warning");
    process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
      ...process.env,
      [HANDED_OVER]: file,
    });
  } catch {
    // Not every system can. Then they stay where the kernel shows them, and a file is the better way to give them.
    rmSync(folder, { recursive: true, force: true });
  }
}

function takeHandedOver() {
  const file = process.env[HANDED_OVER];
  if (file === undefined) return {};
  delete process.env[HANDED_OVER];
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } finally {
    rmSync(dirname(file), { recursive: true, force: true });
  }
}
