import { readdirSync, readlinkSync } from "node:fs";
import { basename } from "node:path";
import { listPids, programPathOf, readProcFile, readStat } from "../../processes/proc.ts";

/** A port on which a program of a terminal accepts connections. */
export interface Listening {
  port: number;
  /** The first process that has the socket open. */
  pid: number;
  /** The name of its executable, which an agent can choose freely. */
  program: string;
  /** The network namespace of that process, as the kernel names it. */
  network: string;
}

/** `/proc/net/tcp`: the state of a socket that accepts connections. */
const LISTENS = "0A";

/** What the descendants of a process listen on over TCP, according to the kernel, by port. */
export function listeningBelow(rootPid: number): Listening[] {
  const found = new Map<number, Listening>();
  const tables = new Map<string, Map<string, number>>();
  for (const pid of descendantsOf(rootPid)) {
    const network = networkOf(pid);
    if (network === null) continue;
    const table = tables.get(network) ?? listeningSockets(pid);
    tables.set(network, table);
    if (table.size === 0) continue;
    for (const inode of openSockets(pid)) {
      const port = table.get(inode);
      if (port === undefined || found.has(port)) continue;
      found.set(port, { port, pid, program: nameOf(pid), network });
    }
  }
  return [...found.values()].sort((a, b) => a.port - b.port);
}

/** Not the name that the kernel shows: Node calls itself MainThread there. */
function nameOf(pid: number): string {
  const path = programPathOf(pid);
  return path === null ? (readStat(pid)?.name ?? "") : basename(path);
}

/** Null if the process is gone, or another user's. */
export function networkOf(pid: number): string | null {
  return linkOf(`/proc/${pid}/ns/net`);
}

function descendantsOf(rootPid: number): number[] {
  const children = new Map<number, number[]>();
  for (const pid of listPids() ?? []) {
    const parent = readStat(pid)?.parentPid;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const found = [rootPid];
  for (const pid of found) found.push(...(children.get(pid) ?? []));
  return found;
}

/** From the inode of each listening socket in the network of a process to its port. */
function listeningSockets(pid: number): Map<string, number> {
  const found = new Map<string, number>();
  for (const file of ["net/tcp", "net/tcp6"]) {
    for (const line of (readProcFile(pid, file) ?? "").split("\n").slice(1)) {
      const [, local = "", , state, , , , , , inode] = line.trim().split(/\s+/);
      if (state === LISTENS && inode) found.set(inode, Number.parseInt(local.slice(local.lastIndexOf(":") + 1), 16));
    }
  }
  return found;
}

function openSockets(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
      const inode = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${name}`) ?? "")?.[1];
      return inode === undefined ? [] : [inode];
    });
  } catch {
    return []; // It ended meanwhile.
  }
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
