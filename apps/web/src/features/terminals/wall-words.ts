import type { ReachedLimit, ResourceLimits, TerminalWall } from "@belay/protocol";

/** The wall around a terminal, in a few words. */
export function wallWords(wall: TerminalWall | null | undefined): string {
  return wall ? `${wall.isolation}, network ${wall.network}` : "no wall";
}

/** The same in a word, for lists. */
export function wallName(wall: TerminalWall | null | undefined): string {
  return wall?.isolation ?? "no wall";
}

/** What the programs of one terminal may use, in a few words. */
export function limitWords({ processes, memoryBytes, cpus, openFiles, fileBytes }: ResourceLimits): string {
  const words = [
    processes === null ? null : `${processes} processes`,
    memoryBytes === null ? null : `${size(memoryBytes)} of memory`,
    cpus === null ? null : `${cpus} processors`,
    openFiles === null ? null : `${openFiles} open files`,
    fileBytes === null ? null : `files up to ${size(fileBytes)}`,
  ].filter((word) => word !== null);
  return words.length === 0 ? "no limits" : words.join(", ");
}

/** The limit that a command reached. */
export const REACHED_LIMITS: Record<ReachedLimit, string> = {
  memory: "memory limit reached",
  processes: "limit of processes reached",
  "file-size": "largest file size reached",
};

function size(bytes: number): string {
  return bytes >= 1e9 ? `${Number((bytes / 1e9).toFixed(1))} GB` : `${Math.round(bytes / 1e6)} MB`;
}
