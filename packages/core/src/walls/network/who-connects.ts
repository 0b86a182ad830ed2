import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { listPids, readProcFile, readStat } from "../../processes/proc.ts";

/** The process behind a connection. */
export interface Connecting {
  pid: number;
  /** Its command line, which a program can choose freely. */
  argv: string[];
}

/**
 * Which process has the other end of a connection to the proxy, according to the kernel: the port identifies the
 * socket, and the socket identifies the process that has it open. Null if it is already gone.
 */
export function whoConnects(networkPid: number, fromPort: number, proxyPort: number): Connecting | null {
  const inode = socketOf(networkPid, fromPort, proxyPort);
  if (inode === null) return null;
  const namespace = linkOf(`/proc/${networkPid}/ns/net`);
  for (const pid of listPids() ?? []) {
    if (linkOf(`/proc/${pid}/ns/net`) !== namespace || !hasOpen(pid, `socket:[${inode}]`)) continue;
    const argv = Buffer.from(readProcFile(pid, "cmdline") ?? "", "latin1")
      .toString("utf8")
      .split("\0")
      .slice(0, -1);
    return { pid, argv: argv.length > 0 ? argv : [readStat(pid)?.name ?? ""] };
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

/** `/proc/net/tcp`: local address, remote address, …, inode as the tenth field; ports in hexadecimal. */
function socketOf(networkPid: number, fromPort: number, proxyPort: number): string | null {
  const port = (number: number) => number.toString(16).toUpperCase().padStart(4, "0");
  try {
    for (const line of readFileSync(`/proc/${networkPid}/net/tcp`, "utf8").split("\n").slice(1)) {
      const fields = line.trim().split(/\s+/);
      if (fields[1]?.endsWith(`:${port(fromPort)}`) && fields[2]?.endsWith(`:${port(proxyPort)}`))
        return fields[9] ?? null;
    }
  } catch {
    // The namespace is gone.
  }
  return null;
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
