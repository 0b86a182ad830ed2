import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ReachedLimit, ResourceLimits } from "@belay/protocol";
import { type CgroupPlaces, CONTROLLERS, findCgroupPlaces } from "./cgroup-places.ts";
import { type LaunchLimits, launchLimitsOf } from "./launch-limits.ts";
import { LimitGroup, removeGroup } from "./limit-group.ts";

const LOOK_EVERY_MS = 1_000;
/** A program may hit the limit now and then; one that stays there for this many checks is stuck. */
const LOOKS_UNTIL_ENDED = 2;

/** The limits of one terminal. */
export interface HeldLimits {
  readonly launch: LaunchLimits;
  /** Which limits the terminal reached since the last call; the exit code shows those that no group counts. */
  takeReached(ended: { exitCode: number | null; signal?: NodeJS.Signals | null }): ReachedLimit | null;
  /** No process in it can fork any more. */
  forbidForks(): void;
  pids(): number[];
  close(): void;
}

/** A shell's exit code for a program that exceeded the largest file size: 128 + SIGXFSZ. */
const ENDED_BY_FILE_SIZE = 128 + 25;

/**
 * Keeps the programs of each terminal within their limits, with a cgroup if one can be created.
 *
 * A fork bomb does not end by being denied more processes. So all groups are counted once a second, and a
 * terminal that stays at its limit is reported.
 */
export class ResourceLimiter {
  readonly #name: string;
  readonly #places: CgroupPlaces;
  readonly #open = new Map<string, { group: LimitGroup; fullLooks: number; onStuck: () => void }>();
  /** Groups that were not empty yet when they were to be removed. */
  readonly #left = new Set<LimitGroup>();
  #timer: NodeJS.Timeout | null = null;

  /** The names of the groups derive from `dataDir` and `use`, so that those of a killed process are found again. */
  constructor({ dataDir, use, places }: { dataDir: string; use: "host" | "once"; places?: CgroupPlaces }) {
    this.#name = groupName(dataDir, use);
    this.#places = places ?? findCgroupPlaces();
  }

  /** `onStuck` is called once if it reaches its limit of processes and stays there. */
  hold(id: string, limits: ResourceLimits, { onStuck }: { onStuck: () => void }): HeldLimits {
    const group = this.#createGroup(id, limits);
    if (group) this.#open.set(id, { group, fullLooks: 0, onStuck });
    if (group && group.maxProcesses !== null) this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    return {
      launch: launchLimitsOf(limits, group),
      takeReached: ({ exitCode, signal }) => {
        const isFileSize = exitCode === ENDED_BY_FILE_SIZE || signal === "SIGXFSZ";
        if (limits.fileBytes !== null && isFileSize) return "file-size";
        return group?.takeReached() ?? null;
      },
      forbidForks: () => group?.forbidForks(),
      pids: () => group?.pids ?? [],
      close: () => {
        if (group) this.#left.add(group);
        for (const left of this.#left) if (left.close()) this.#left.delete(left);
        this.#open.delete(id);
        if (this.#open.size === 0) this.close();
      },
    };
  }

  /** Removes the folder of all groups, if it is empty. */
  close(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    for (const folder of parentsOf(this.#places, this.#name)) removeGroup(folder);
  }

  #createGroup(id: string, limits: ResourceLimits): LimitGroup | null {
    const places: CgroupPlaces = {};
    for (const controller of CONTROLLERS) {
      const place = this.#places[controller];
      if (!place) continue;
      const folder = join(place.folder, this.#name);
      mkdirSync(folder, { recursive: true });
      if (place.version === 2) writeFileSync(join(folder, "cgroup.subtree_control"), `+${controller}`);
      places[controller] = { version: place.version, folder };
    }
    return Object.keys(places).length === 0 ? null : new LimitGroup(places, id, limits);
  }

  #look(): void {
    const limited = [...this.#open.values()].filter(({ group }) => group.maxProcesses !== null);
    const lowest = Math.min(...limited.map(({ group }) => group.maxProcesses ?? Number.POSITIVE_INFINITY));
    if (this.#total < lowest) {
      for (const open of limited) open.fullLooks = 0;
      return;
    }
    for (const open of limited) {
      open.fullLooks = open.group.isFull ? open.fullLooks + 1 : 0;
      if (open.fullLooks === LOOKS_UNTIL_ENDED) open.onStuck();
    }
  }

  /** Of all terminals together: usually less than a single one may have. */
  get #total(): number {
    const { pids } = this.#places;
    if (!pids) return 0;
    return Number(readFileSync(join(pids.folder, this.#name, "pids.current"), "utf8"));
  }
}

/** Ends what a killed host left in its groups, and removes them. Call it only while no other host runs there. */
export function endLeftGroups(dataDir: string): void {
  const places = findCgroupPlaces();
  for (const parent of parentsOf(places, groupName(dataDir, "host"))) {
    for (const name of namesIn(parent)) {
      const folder = join(parent, name);
      for (const pid of pidsIn(folder)) kill(pid);
      removeGroup(folder);
    }
    removeGroup(parent);
  }
}

function groupName(dataDir: string, use: "host" | "once"): string {
  return `belay-${use}-${createHash("sha256").update(dataDir).digest("hex").slice(0, 12)}`;
}

function parentsOf(places: CgroupPlaces, name: string): string[] {
  return [...new Set(Object.values(places).map(({ folder }) => join(folder, name)))];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return []; // There is none.
  }
}

function pidsIn(folder: string): number[] {
  try {
    return readFileSync(join(folder, "cgroup.procs"), "utf8").split("\n").filter(Boolean).map(Number);
  } catch {
    return []; // It is gone.
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}
