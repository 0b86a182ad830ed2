import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Secret settings. Each can also be given as NAME_FILE, which names a file that contains it. */
const SECRETS = [
  "BELAY_ADMIN_PASSWORD",
  "BELAY_OIDC_CLIENT_SECRET",
  "BELAY_METRICS_TOKEN",
  "BELAY_TOKEN",
  "BELAY_JOIN_TOKEN",
  "BELAY_DATABASE_URL",
  "BELAY_NATS_URL",
  "BELAY_CLUSTER_SECRET",
];
const HANDED_OVER = "BELAY_SECRETS_HANDED_OVER";

/**
 * Removes secrets from the environment that the kernel shows for this process (`ps e`, /proc/PID/environ), which every
 * program of the same user can read. That is the environment at exec, which cannot be changed afterwards: so the
 * process re-executes itself without the secrets, and reads them from a file that is deleted as soon as it is read.
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
    // Suppresses the "experimental" warning, which users cannot act on.
    process.removeAllListeners("warning");
    process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
      ...process.env,
      [HANDED_OVER]: file,
    });
  } catch {
    // Not every system supports this. Then the secrets stay visible, and passing them by file is safer.
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
