import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ReachedLimit, ResourceLimits } from "@belay/protocol";
import { type CgroupPlaces, CONTROLLERS, findCgroupPlaces } from "./cgroup-places.ts";
import { type LaunchLimits, launchLimitsOf } from "./launch-limits.ts";
import { LimitGroup, removeGroup } from "./limit-group.ts";

const LOOK_EVERY_MS = 1_000;
/** A program that runs into the limit now and then gets on; one that stays there for so many looks does not. */
const LOOKS_UNTIL_ENDED = 2;

/** The limits of one terminal. */
export interface HeldLimits {
  readonly launch: LaunchLimits;
  /** What the terminal ran out of since the last call; the exit code tells what no group counts. */
  takeReached(ended: { exitCode: number | null; signal?: NodeJS.Signals | null }): ReachedLimit | null;
  /** Nothing in it can fork any more. */
  forbidForks(): void;
  pids(): number[];
  close(): void;
}

/** A shell says 128 + SIGXFSZ of a program that wrote past the largest file. */
const ENDED_BY_FILE_SIZE = 128 + 25;

/**
 * Keeps the programs of each terminal within their limits, with a group of the kernel's where one can be made.
 *
 * A fork bomb does not end by being denied more processes. So all groups together are counted once a second, and a
 * terminal that has stayed at its limit is reported.
 */
export class ResourceLimiter {
  readonly #name: string;
  readonly #places: CgroupPlaces;
  readonly #open = new Map<string, { group: LimitGroup; fullLooks: number; onStuck: () => void }>();
  /** Groups that were not empty yet when they were to go. */
  readonly #left = new Set<LimitGroup>();
  #timer: NodeJS.Timeout | null = null;

  /** `dataDir` and `use` make the names of the groups, so that those of a process that was killed are found again. */
  constructor({ dataDir, use, places }: { dataDir: string; use: "host" | "once"; places?: CgroupPlaces }) {
    this.#name = groupName(dataDir, use);
    this.#places = places ?? findCgroupPlaces();
  }

  /** `onStuck` is called once where it has as many processes as it may and stays there. */
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

  /** Removes the folder of all groups, where it is empty. */
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

  /** Of all terminals together: mostly it is less than any single one may have. */
  get #total(): number {
    const { pids } = this.#places;
    if (!pids) return 0;
    return Number(readFileSync(join(pids.folder, this.#name, "pids.current"), "utf8"));
  }
}

/** Ends what a host that was killed left in its groups, and removes them. Call it only while no other host runs there. */
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
    // It ended meanwhile.
  }
}
