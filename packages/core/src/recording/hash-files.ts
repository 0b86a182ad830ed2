import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { RecordingPaths } from "./format.ts";

/** The checksums of a recording's two files; the index is hashed only up to a given offset. */
export async function hashFiles(
  paths: Pick<RecordingPaths, "raw" | "index" | "gaps">,
  indexBytes = Number.POSITIVE_INFINITY,
) {
  return {
    rawSha256: await hashFile(paths.raw, Number.POSITIVE_INFINITY),
    indexSha256: await hashFile(paths.index, indexBytes),
  };
}

async function hashFile(path: string, maxBytes: number): Promise<string> {
  const hash = createHash("sha256");
  if (maxBytes > 0)
    for await (const chunk of createReadStream(path, { end: maxBytes - 1 })) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
