import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Gateway } from "../../gateway.ts";
import { BELAY, LICENCES_FILE } from "../../paths.ts";
import { VERSION } from "../../version.ts";

const Licences = z.array(z.object({ name: z.string(), version: z.string(), licence: z.string() }));

/** Information about this installation, for admins. */
export async function describeInstallation({ settings, audit, recordingsDir, trashDir, url }: Gateway) {
  return {
    version: VERSION,
    /** The name of the command line here. */
    command: BELAY,
    node: process.version,
    url: url(),
    dataDir: settings.dataDir,
    securityFile: settings.securityFile,
    workspace: settings.workspace,
    recordingsDir,
    trashDir,
    upSince: Date.now() - Math.round(process.uptime() * 1000),
    record: audit.standing,
    licences: await readLicences(),
  };
}

/** The licences of everything bundled; null when this runs from source. */
async function readLicences(): Promise<z.infer<typeof Licences> | null> {
  try {
    return Licences.parse(JSON.parse(await readFile(LICENCES_FILE, "utf8")));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
