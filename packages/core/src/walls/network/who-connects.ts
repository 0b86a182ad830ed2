import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { listPids, readProcFile, readStat } from "../../processes/proc.ts";

/** The process behind a connection. */
export interface Connecting {
  pid: number;
  /** In clock ticks since the machine started: with it, a reused pid is another process. */
  startedAt: string;
  /** Its command line, which a program can choose freely. */
  argv: string[];
}

/**
 * Which process has the other end of a connection to the proxy, according to the kernel: the port identifies the
 * socket, and the socket identifies the process that has it open. Null if it is already gone.
 */
export function whoConnects(networkPid: number, fromPort: number, proxyPort: number): Connecting | null {
  const inode = connectionsTo(proxyPort, networkPid).get(fromPort);
  if (inode === undefined) return null;
  const namespace = linkOf(`/proc/${networkPid}/ns/net`);
  for (const pid of listPids() ?? []) {
    if (linkOf(`/proc/${pid}/ns/net`) !== namespace || !hasOpen(pid, `socket:[${inode}]`)) continue;
    const argv = Buffer.from(readProcFile(pid, "cmdline") ?? "", "latin1")
      .toString("utf8")
      .split("\0")
      .slice(0, -1);
    const stat = readStat(pid);
    return { pid, startedAt: stat?.startedAt ?? "", argv: argv.length > 0 ? argv : [stat?.name ?? ""] };
  }
  return null;
}

/** From the process up to the first ancestor in the list, such as the first process of a terminal. */
export function ancestorAmong(pid: number, candidates: ReadonlyMap<number, string>): string | null {
  for (let at = pid; at > 1; at = readStat(at)?.parentPid ?? 0) {
    const found = candidates.get(at);
    if (found !== undefined) return found;
  }
  return null;
}

/** Whether a process that once connected still runs. */
export function isRunning({ pid, startedAt }: Connecting): boolean {
  const stat = readStat(pid);
  return stat !== null && stat.startedAt === startedAt && stat.state !== "Z";
}

/**
 * The sockets of programs that are connected to a port, by their own port. A socket without an inode is left out: its
 * program has closed it, and only the kernel still has it.
 *
 * `/proc/net/tcp`: local address, remote address, …, inode as the tenth field; ports in hexadecimal.
 */
export function connectionsTo(port: number, networkPid: number): Map<number, string> {
  const found = new Map<number, string>();
  const remote = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  try {
    for (const line of readFileSync(`/proc/${networkPid}/net/tcp`, "utf8").split("\n").slice(1)) {
      const fields = line.trim().split(/\s+/);
      const [local, inode] = [fields[1], fields[9]];
      if (!local || !inode || inode === "0" || !fields[2]?.endsWith(remote)) continue;
      found.set(Number.parseInt(local.slice(local.indexOf(":") + 1), 16), inode);
    }
  } catch {
    // The namespace is gone.
  }
  return found;
}

function hasOpen(pid: number, link: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((name) => linkOf(`/proc/${pid}/fd/${name}`) === link);
  } catch {
    return false; // It ended meanwhile.
  }
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
