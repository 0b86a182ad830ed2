import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

/**
 * The policy for the exported console: its own files, and exactly the inline
 * scripts that the export wrote, by hash.
 */
export async function loadContentSecurityPolicy(webDir: string): Promise<string> {
  const hashes = new Set<string>();
  for (const entry of await readdir(webDir, { recursive: true })) {
    if (!entry.endsWith(".html")) continue;
    const html = await readFile(join(webDir, entry), "utf8");
    for (const [, script] of html.matchAll(INLINE_SCRIPT)) {
      hashes.add(
        `'sha256-${createHash("sha256")
          .update(script ?? "")
          .digest("base64")}'`,
      );
    }
  }
  return [
    "default-src 'self'",
    `script-src 'self' ${[...hashes].sort().join(" ")}`,
    // xterm.js positions its cells with inline styles.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
