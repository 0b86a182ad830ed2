import type { MachineLoad, MachineState } from "@belay/protocol";

/** The gateway's own machine, in lists of machines. */
export const OWN_MACHINE = "gateway";

type Tone = "quiet" | "accent" | "attention";

/** The state of a machine in a word, and whether someone should look at it. */
export function stateWords(state: MachineState, now: number): { words: string; tone: Tone } {
  switch (state.status) {
    case "connected":
      return { words: "connected", tone: "accent" };
    case "away":
      return { words: "away", tone: "attention" };
    case "invited":
      return state.until > now ? { words: "not joined yet", tone: "quiet" } : { words: "token expired", tone: "quiet" };
    case "revoked":
      return { words: "revoked", tone: "quiet" };
  }
}

/** How busy it is: processors in use, and memory. */
export function loadWords(load: MachineLoad): string {
  const { totalMemoryBytes, freeMemoryBytes } = load;
  const used = Math.round((100 * (totalMemoryBytes - freeMemoryBytes)) / totalMemoryBytes);
  return `${busyWords(load)}, ${used} % of the memory`;
}

/** Its processors alone, for a list. */
export function busyWords({ cpus, load1 }: MachineLoad): string {
  return `${load1.toFixed(1)} on ${cpus} ${cpus === 1 ? "processor" : "processors"}`;
}
