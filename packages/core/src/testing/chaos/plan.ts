import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandId, TerminalId } from "@belay/protocol";

/** What the terminals of a round do. Decided in advance, so that every byte is known. */
export interface ChaosPlan {
  dataDir: string;
  home: string;
  /** A marker in the environment of every process of the round. */
  mark: string;
  programs: { id: TerminalId; script: string; lines: number }[];
  shell: { id: TerminalId; commands: { id: CommandId; exitCode: number }[] };
}

export function loadPlan(folder: string): ChaosPlan {
  return JSON.parse(readFileSync(planPath(folder), "utf8")) as ChaosPlan;
}

export function planPath(folder: string): string {
  return join(folder, "plan.json");
}

/** What a viewer has received of a terminal so far, over all restarts. */
export function receivedPath(folder: string, id: TerminalId): string {
  return join(folder, `${id}.received`);
}

/** A line for each command whose result was collected. */
export function resultsPath(folder: string): string {
  return join(folder, "results");
}

/** Numbers from 1 on, as a terminal prints them. */
export function expectedOutput(lines: number): string {
  return Array.from({ length: lines }, (_, at) => `${at + 1}\r\n`).join("");
}

/** Random numbers, reproducible by seed. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
