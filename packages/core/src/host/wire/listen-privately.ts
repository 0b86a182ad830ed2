import { once } from "node:events";
import type { Server } from "node:net";

/**
 * Listens on a socket that only its owner can open. The mask belongs to the whole process, terminals that start
 * meanwhile included, so it is put back before anything is awaited: `listen` creates the file before it returns.
 */
export async function listenPrivately(server: Server, path: string): Promise<void> {
  const umask = process.umask(0o177);
  try {
    server.listen(path);
  } finally {
    process.umask(umask);
  }
  await once(server, "listening");
}
