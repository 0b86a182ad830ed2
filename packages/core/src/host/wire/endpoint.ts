import { closeSync, constants, openSync } from "node:fs";
import { lstat, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Where a host is found: a folder that only its owner can enter. */
export interface HostEndpoint {
  folder: string;
  socket: string;
  token: string;
  lock: string;
  log: string;
  /** Which process the host is, for people: one that does not answer cannot say so itself. */
  pid: string;
  /** What the environment of every process in its terminals can be told by, also after the host was killed. */
  marker: string;
}

export function hostEndpoint(dataDir: string): HostEndpoint {
  const folder = join(dataDir, "host");
  return {
    folder,
    socket: join(folder, "host.sock"),
    token: join(folder, "token"),
    lock: join(folder, "host.lock"),
    log: join(folder, "host.log"),
    pid: join(folder, "host.pid"),
    marker: join(folder, "marker"),
  };
}

/**
 * Makes the folder, or checks that it is ours alone.
 *
 * Node cannot ask the kernel who is at the other end of a socket (SO_PEERCRED), so the
 * file system does it: on Linux one has to enter the folder and to be allowed to write to
 * the socket in order to connect, and both are the owner's. Not every system looks at the
 * mode of a socket, and a folder may have stood open for a moment; therefore whoever
 * connects also shows a token, new for each host, from a file that only the owner reads.
 * Against a program of the same user neither helps: the policy denies agents these paths,
 * and `runAs` or isolation puts them out of reach.
 */
export async function prepareHostFolder({ folder }: HostEndpoint): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  const isOurs = process.getuid === undefined || found.uid === process.getuid();
  if (!found.isDirectory() || !isOurs || (found.mode & 0o077) !== 0) {
    throw new Error(
      `The folder ${folder} is open to others, so no terminals are held there. Remove it, or: chmod 700 ${folder}`,
    );
  }
}

/** Written by rename, so that a reader never sees half a file. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const fresh = `${path}.new`;
  await writeFile(fresh, text, { mode: 0o600, flush: true });
  await rename(fresh, path);
}

/** Null where no host has left one. */
export function readIfThere(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch(() => null);
}

export function readToken({ token }: HostEndpoint): Promise<string> {
  return readFile(token, "utf8");
}

/** What the kernel takes for the path of a socket, the closing zero left out. */
const MAX_SOCKET_PATH_BYTES = process.platform === "linux" ? 107 : 103;

/**
 * A path of the socket that is short enough for the kernel. Where the data dir lies too
 * deep, Linux reaches it through a descriptor of its folder, which has to stay open meanwhile.
 */
export function openSocketPath({ folder, socket }: HostEndpoint): { path: string; release(): void } {
  if (Buffer.byteLength(socket) <= MAX_SOCKET_PATH_BYTES) return { path: socket, release: () => {} };
  if (process.platform !== "linux") {
    throw new Error(`The path ${socket} is too long for a socket. Set BELAY_DATA_DIR to a shorter one.`);
  }
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  return { path: `/proc/self/fd/${descriptor}/host.sock`, release: () => closeSync(descriptor) };
}
