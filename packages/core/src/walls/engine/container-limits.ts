import { readFileSync } from "node:fs";
import type { ReachedLimit, ResourceLimits } from "@belay/protocol";
import { LimitGroup } from "../../limits/limit-group.ts";
import { ENDED_BY_FILE_SIZE, type HeldLimits } from "../../limits/resource-limiter.ts";
import { readStat } from "../../processes/proc.ts";

/** The exit code of a container whose first process was killed: 128 + SIGKILL. */
const KILLED = 128 + 9;
const FIND_GROUP_EVERY_MS = 50;

/**
 * The limits of a container. The engine created its control group, which is only looked up here, while it exists.
 *
 * If the kernel ends the container's first process for want of memory, the engine removes the group within milliseconds,
 * and its counters with it. The kernel's count for the whole machine remains. No program in a container can kill the first
 * process, so one that was killed while that count rose was ended for memory.
 */
export class ContainerLimits implements HeldLimits {
  readonly launch = { joinFiles: [], openFiles: null, fileBytes: null, dataBytes: null, processesInside: null };
  readonly #limits: ResourceLimits;
  readonly #readPid: () => number | null;
  #pid: number | null = null;
  #group: LimitGroup | null = null;
  /** The machine's count when the first process was last seen alive. */
  #killsBefore = countMemoryKills();
  #isEnding = false;
  readonly #timer: NodeJS.Timeout;

  /** `readPid` finds the container's first process; null until it has started. */
  constructor(limits: ResourceLimits, { readPid }: { readPid: () => number | null }) {
    this.#limits = limits;
    this.#readPid = readPid;
    // Early: the group of a container that has ended cannot be found any more.
    this.#timer = setInterval(() => this.#look(), FIND_GROUP_EVERY_MS).unref();
  }

  takeReached({ exitCode, signal }: Parameters<HeldLimits["takeReached"]>[0]): ReachedLimit | null {
    const isFileSize = exitCode === ENDED_BY_FILE_SIZE || signal === "SIGXFSZ";
    if (this.#limits.fileBytes !== null && isFileSize) return "file-size";
    const reached = this.#look()?.takeReached() ?? null;
    return reached === null && exitCode === KILLED && this.#isEndedForMemory ? "memory" : reached;
  }

  isFull(): boolean {
    return this.#look()?.isFull ?? false;
  }

  forbidForks(): void {
    this.#look()?.forbidForks();
    this.#isEnding = true;
  }

  pids(): number[] {
    return this.#look()?.pids ?? [];
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): LimitGroup | null {
    // Counted before the process is seen alive, so that its own end is not included.
    const kills = countMemoryKills();
    this.#pid ??= this.#readPid();
    if (this.#pid === null || !isAlive(this.#pid)) return this.#group;
    this.#killsBefore = kills;
    this.#group ??= LimitGroup.around(this.#pid, this.#limits);
    if (this.#group) clearInterval(this.#timer);
    return this.#group;
  }

  get #isEndedForMemory(): boolean {
    // Without a group of its own, the engine does not enforce the limit.
    const hasLimit = this.#limits.memoryBytes !== null && this.#group?.limits("memory") === true;
    return hasLimit && !this.#isEnding && countMemoryKills() > this.#killsBefore;
  }
}

function isAlive(pid: number): boolean {
  return !/[ZX]/.test(readStat(pid)?.state ?? "X");
}

/** How many programs the kernel has ended for want of memory, on the whole machine. */
function countMemoryKills(): number {
  try {
    return Number(/^oom_kill (\d+)$/m.exec(readFileSync("/proc/vmstat", "utf8"))?.[1] ?? 0);
  } catch {
    return 0; // Not Linux.
  }
}
