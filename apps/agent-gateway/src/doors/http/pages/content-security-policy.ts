import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

/** The replay page: the player's emulator is WebAssembly, and no other page needs it. */
const PLAYER_PAGE = /\/replay\.html(\.br|\.gz)?$/;

/**
 * The policy for the exported console: its own files, and exactly the inline
 * scripts that the export wrote, by hash. It depends on the file that is sent.
 */
export async function loadContentSecurityPolicy(webDir: string): Promise<(file: string) => string> {
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
  const scripts = ["'self'", ...[...hashes].sort()];
  const plain = policyWith(scripts);
  const forPlayer = policyWith([...scripts, "'wasm-unsafe-eval'"]);
  return (file) => (PLAYER_PAGE.test(file) ? forPlayer : plain);
}

function policyWith(scripts: readonly string[]): string {
  return [
    "default-src 'self'",
    `script-src ${scripts.join(" ")}`,
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
