import { closeSync, constants, openSync } from "node:fs";
import { lstat, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

/** The files of a host, in a folder that only its owner can enter. */
export interface HostEndpoint {
  folder: string;
  socket: string;
  token: string;
  lock: string;
  log: string;
  /** The host's pid, for error messages: a host that hangs cannot report it. */
  pid: string;
  /** The marker in the environment of all processes in its terminals, to find them even after the host was killed. */
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
 * Creates the folder, or checks that only we can access it.
 *
 * Node cannot ask the kernel for the peer of a socket (SO_PEERCRED), so access relies on the
 * file system: on Linux, connecting requires search permission for the folder and write permission for
 * the socket, and only the owner has both. Not every system checks the
 * mode of a socket, and a folder may have been open for a moment; therefore a client
 * also presents a token, new for each host, from a file that only the owner can read.
 * Neither helps against a program of the same user: the policy denies agents these paths,
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

/** Writes a file and renames it into place, so that a reader never sees half of it. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const fresh = `${path}.new`;
  await writeFile(fresh, text, { mode: 0o600, flush: true });
  await rename(fresh, path);
}

/** Null if no host has written one. */
export function readIfThere(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch(() => null);
}

export function readToken({ token }: HostEndpoint): Promise<string> {
  return readFile(token, "utf8");
}

/** The longest socket path that the kernel accepts, without the terminating zero. */
const MAX_SOCKET_PATH_BYTES = process.platform === "linux" ? 107 : 103;

/**
 * A path of the socket that is short enough for the kernel. If the data folder's path is too long,
 * Linux reaches it through a descriptor of its folder, which has to stay open meanwhile.
 */
export function openSocketPath({ folder, socket }: { folder: string; socket: string }): {
  path: string;
  release(): void;
} {
  if (Buffer.byteLength(socket) <= MAX_SOCKET_PATH_BYTES) return { path: socket, release: () => {} };
  if (process.platform !== "linux") {
    throw new Error(`The path ${socket} is too long for a socket. Set BELAY_DATA_DIR to a shorter one.`);
  }
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  return { path: `/proc/self/fd/${descriptor}/${basename(socket)}`, release: () => closeSync(descriptor) };
}
