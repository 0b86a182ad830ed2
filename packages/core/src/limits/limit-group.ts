import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ReachedLimit, ResourceLimits } from "@belay/protocol";
import { type CgroupPlaces, CONTROLLERS, type Controller, findCgroupPlaces } from "./cgroup-places.ts";

/** The length of the kernel's CPU accounting period in microseconds. */
const CPU_PERIOD_US = 100_000;

/** A group of processes that the kernel limits together: all of one terminal. */
export class LimitGroup {
  readonly #folders: CgroupPlaces;
  readonly #maxProcesses: number | null;
  #forksDenied = 0;
  #killedForMemory = 0;

  private constructor(folders: CgroupPlaces, limits: ResourceLimits) {
    this.#folders = folders;
    this.#maxProcesses = folders.pids ? limits.processes : null;
  }

  /**
   * The group of a process that another program (such as a container engine) limits. Null if Belay itself is in that
   * group, because actions on it must affect only the terminal. An ended process seems to be there, too.
   */
  static around(pid: number, limits: ResourceLimits): LimitGroup | null {
    const [theirs, ours] = [findCgroupPlaces({ pid }), findCgroupPlaces()];
    const isShared = CONTROLLERS.some((controller) => {
      const [their, our] = [theirs[controller]?.folder, ours[controller]?.folder];
      return their !== undefined && (our === undefined || our === their || our.startsWith(`${their}/`));
    });
    return isShared || Object.keys(theirs).length === 0 ? null : new LimitGroup(theirs, limits);
  }

  /** Creates a group. Limits that the machine cannot enforce are left out. */
  static create(places: CgroupPlaces, name: string, limits: ResourceLimits): LimitGroup {
    const folders: CgroupPlaces = {};
    const group = () => new LimitGroup(folders, limits);
    try {
      for (const controller of CONTROLLERS) {
        const place = places[controller];
        const settings = place ? settingsOf(controller, place.version, limits) : [];
        if (!place || settings.length === 0) continue;
        const folder = join(place.folder, name);
        mkdirSync(folder, { recursive: true });
        folders[controller] = { version: place.version, folder };
        for (const { file, value, isOptional } of settings) set(join(folder, file), value, { isOptional });
      }
    } catch (error) {
      group().close();
      throw error;
    }
    return group();
  }

  /** A process that writes 0 to each of these joins the group, with everything that it starts. */
  get joinFiles(): string[] {
    return [...new Set(this.#all.map(({ folder }) => join(folder, "cgroup.procs")))];
  }

  /** Which limits were reached since the last call. */
  takeReached(): ReachedLimit | null {
    const denied = this.#count("pids", "pids.events", "max");
    const memoryFile = this.#folders.memory?.version === 1 ? "memory.oom_control" : "memory.events";
    const killed = this.#count("memory", memoryFile, "oom_kill");
    const isMemory = killed > this.#killedForMemory;
    const isProcesses = denied > this.#forksDenied;
    this.#forksDenied = denied;
    this.#killedForMemory = killed;
    if (isMemory) return "memory";
    return isProcesses ? "processes" : null;
  }

  /** Whether it has reached its limit of processes. */
  get isFull(): boolean {
    if (this.#maxProcesses === null || !this.#folders.pids) return false;
    return Number(readText(join(this.#folders.pids.folder, "pids.current"))) >= this.#maxProcesses;
  }

  get maxProcesses(): number | null {
    return this.#maxProcesses;
  }

  limits(controller: Controller): boolean {
    return this.#folders[controller] !== undefined;
  }

  /** From now on nothing in it can fork, so that no process escapes while the others are ended. */
  forbidForks(): void {
    if (!this.#folders.pids) return;
    try {
      writeFileSync(join(this.#folders.pids.folder, "pids.max"), "0");
    } catch {
      // The group is gone.
    }
  }

  get pids(): number[] {
    const [file] = this.joinFiles;
    // A process of another PID namespace is listed as 0.
    return file === undefined
      ? []
      : readText(file)
          .split("\n")
          .map(Number)
          .filter((pid) => pid > 1);
  }

  /** Removes the group; false while it has processes. */
  close(): boolean {
    return this.#all.map(({ folder }) => removeGroup(folder)).every(Boolean);
  }

  get #all() {
    return Object.values(this.#folders);
  }

  #count(controller: Controller, file: string, key: string): number {
    const found = this.#folders[controller];
    if (!found) return 0;
    const line = readText(join(found.folder, file))
      .split("\n")
      .find((text) => text.startsWith(`${key} `));
    return Number(line?.slice(key.length + 1) ?? 0);
  }
}

/** Removes a group; false if it still has processes. */
export function removeGroup(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

interface Setting {
  file: string;
  value: string;
  /** Not every kernel has it. */
  isOptional?: true;
}

function settingsOf(controller: Controller, version: 1 | 2, limits: ResourceLimits): Setting[] {
  const { processes, memoryBytes, cpus } = limits;
  switch (controller) {
    case "pids":
      return processes === null ? [] : [{ file: "pids.max", value: String(processes) }];
    case "memory": {
      if (memoryBytes === null) return [];
      const value = String(memoryBytes);
      return version === 1
        ? [
            { file: "memory.limit_in_bytes", value },
            // Memory and swap together.
            { file: "memory.memsw.limit_in_bytes", value, isOptional: true },
          ]
        : [
            { file: "memory.max", value },
            { file: "memory.swap.max", value: "0", isOptional: true },
          ];
    }
    case "cpu": {
      if (cpus === null) return [];
      const quota = Math.max(1_000, Math.round(cpus * CPU_PERIOD_US));
      return version === 1
        ? [
            { file: "cpu.cfs_period_us", value: String(CPU_PERIOD_US) },
            { file: "cpu.cfs_quota_us", value: String(quota) },
          ]
        : [{ file: "cpu.max", value: `${quota} ${CPU_PERIOD_US}` }];
    }
  }
}

function set(file: string, value: string, { isOptional = false }: { isOptional?: boolean | undefined }): void {
  try {
    writeFileSync(file, value);
  } catch (error) {
    if (!isOptional) throw error;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // The group is gone.
  }
}
