import { readFileSync, readlinkSync } from "node:fs";
import type { TerminalPool, Wall } from "@belay/core";
import type { TerminalId } from "@belay/protocol";
import type { AgentRow } from "../store/tables/agents.ts";

/**
 * The first process of an open sandbox of an agent, whose network its single commands join, so that they reach the
 * servers in its terminals. Null if no such terminal is open, and in containers, whose first process is elsewhere.
 */
export async function findTerminalNetwork(
  terminals: Pick<TerminalPool, "list">,
  agent: Pick<AgentRow, "id">,
  { shown }: Pick<Wall, "shown">,
): Promise<number | null> {
  if (shown.isolation !== "sandbox" || shown.network === "host") return null;
  for (const { id, agentId, machine, wall, state } of await terminals.list()) {
    if (agentId !== agent.id || machine !== undefined || state.status !== "running") continue;
    if (wall?.isolation !== "sandbox" || wall.network !== shown.network) continue;
    const first = outermostInNetwork(state.pid, id);
    if (first !== null) return first;
  }
  return null;
}

/**
 * The outermost ancestor in the same network: bubblewrap itself, in the user namespace that the network belongs to, while
 * the shell has one of its own. Its arguments name the terminal's folder; a number that is another program's by now does not.
 */
function outermostInNetwork(pid: number, id: TerminalId): number | null {
  try {
    const network = networkOf(pid);
    if (network === networkOf("self")) return null;
    let outermost = pid;
    for (let parent = parentOf(pid); parent > 1 && networkOf(parent) === network; parent = parentOf(parent)) {
      outermost = parent;
    }
    return readFileSync(`/proc/${outermost}/cmdline`, "latin1").includes(id) ? outermost : null;
  } catch {
    return null; // it has ended, or this is no Linux
  }
}

function networkOf(pid: number | "self"): string {
  return readlinkSync(`/proc/${pid}/ns/net`);
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0);
}
