import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ReachedLimit, ResourceLimits } from "@belay/protocol";
import { shortHash } from "../short-hash.ts";
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
  /** Whether it has reached its limit of processes. */
  isFull(): boolean;
  /** Prevents all further forks in it. */
  forbidForks(): void;
  pids(): number[];
  close(): void;
}

interface Watched {
  isFull: () => boolean;
  maxProcesses: number | null;
  fullLooks: number;
  onStuck: () => void;
}

/** The exit code that a shell reports for a program that exceeded the file size limit: 128 + SIGXFSZ. */
export const ENDED_BY_FILE_SIZE = 128 + 25;

/**
 * Keeps the programs of each terminal within their limits, with a cgroup if one can be created.
 *
 * A fork bomb does not end when it is denied more processes. So all groups are counted once a second, and a
 * terminal that stays at its limit is reported.
 */
export class ResourceLimiter {
  readonly #name: string;
  readonly #places: CgroupPlaces;
  readonly #open = new Map<string, Watched>();
  /** Groups that could not be removed yet, because they still had processes. */
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
    return this.watch(
      id,
      {
        launch: launchLimitsOf(limits, group),
        takeReached: ({ exitCode, signal }) => {
          const isFileSize = exitCode === ENDED_BY_FILE_SIZE || signal === "SIGXFSZ";
          if (limits.fileBytes !== null && isFileSize) return "file-size";
          return group?.takeReached() ?? null;
        },
        isFull: () => group?.isFull ?? false,
        forbidForks: () => group?.forbidForks(),
        pids: () => group?.pids ?? [],
        close: () => {
          if (group) this.#left.add(group);
          for (const left of this.#left) if (left.close()) this.#left.delete(left);
        },
      },
      { onStuck, maxProcesses: group?.maxProcesses ?? null },
    );
  }

  /** The same for limits that another program enforces; `maxProcesses` is set only for a group that we created. */
  watch(
    id: string,
    held: HeldLimits,
    { onStuck, maxProcesses = null }: { onStuck: () => void; maxProcesses?: number | null },
  ): HeldLimits {
    this.#open.set(id, { isFull: () => held.isFull(), maxProcesses, fullLooks: 0, onStuck });
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    return {
      launch: held.launch,
      takeReached: (ended) => held.takeReached(ended),
      isFull: () => held.isFull(),
      forbidForks: () => held.forbidForks(),
      pids: () => held.pids(),
      close: () => {
        held.close();
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
    return Object.keys(places).length === 0 ? null : LimitGroup.create(places, id, limits);
  }

  #look(): void {
    const total = this.#total;
    for (const open of this.#open.values()) {
      const isOutOfReach = open.maxProcesses !== null && total < open.maxProcesses;
      open.fullLooks = !isOutOfReach && open.isFull() ? open.fullLooks + 1 : 0;
      if (open.fullLooks === LOOKS_UNTIL_ENDED) open.onStuck();
    }
  }

  /** The number of processes in all terminals; usually below the limit of a single one. */
  get #total(): number {
    const { pids } = this.#places;
    if (!pids) return 0;
    try {
      return Number(readFileSync(join(pids.folder, this.#name, "pids.current"), "utf8"));
    } catch {
      return 0; // No group of ours is open.
    }
  }
}

/** Ends processes that a killed host left in its groups, and removes the groups. Call it only while no host runs. */
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
  return `belay-${use}-${shortHash(dataDir)}`;
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
    return readFileSync(join(folder, "cgroup.procs"), "utf8")
      .split("\n")
      .map(Number)
      .filter((pid) => pid > 1);
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
