import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { defaultPolicy, loadSecurityFile } from "@belay/policy";

/** The text of `security.json`; null where there is no file, and the defaults apply. */
export async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

export function load(text: string | null) {
  return text === null ? { ok: true as const, policy: defaultPolicy, notices: [] as string[] } : loadSecurityFile(text);
}

export function versionOf(text: string | null): string {
  return text === null ? "default" : hashOf(text);
}

export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
