import { statSync } from "node:fs";
import { chmod, rm } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { listenPrivately } from "@belay/core";

const LOOK_EVERY_MS = 1000;

export interface OpenSocket {
  close(): Promise<void>;
}

/** Listens on a socket that only its owner can open, and creates it again if it is removed. */
export async function openSocket(
  path: string,
  serve: RequestListener,
  onProblem: (error: unknown) => void,
): Promise<OpenSocket> {
  const servers = [await listen(path, serve)];
  let own = inodeOf(path);
  let opening = Promise.resolve();
  const timer = setInterval(() => {
    if (inodeOf(path) === own) return;
    own = undefined;
    opening = opening.then(async () => {
      if (own !== undefined) return;
      servers.push(await listen(path, serve));
      own = inodeOf(path);
    });
    opening = opening.catch(onProblem); // the folder may be gone too; the next check tries again
  }, LOOK_EVERY_MS).unref();
  return {
    close: async () => {
      clearInterval(timer);
      await opening;
      await Promise.all(servers.map(closeServer));
    },
  };
}

async function listen(path: string, serve: RequestListener): Promise<Server> {
  // The lock guarantees that no other process listens here: an existing socket is from a gateway that was killed.
  await rm(path, { force: true });
  const server = createServer(serve);
  // A person may take a while to enter their password, and signs in on the connection that they started with.
  server.keepAliveTimeout = 0;
  await listenPrivately(server, path);
  await chmod(path, 0o600);
  return server;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}
