/** Words of the C library for what a preview forbids. Other languages of the system have other words, which go unnoticed. */
const SAID: readonly { words: RegExp; sentence: string; spoils?: true }[] = [
  { words: /read-only file system/i, sentence: "It tried to write outside of the folders that a preview covers." },
  {
    words: /cross-device link/i,
    sentence: "It tried to rename a folder in one step, which a preview cannot.",
    spoils: true,
  },
  { words: /no space left on device/i, sentence: "It wrote more than a preview has room for.", spoils: true },
];

export interface Attempts {
  sentences: string[];
  /** Those that would have gone otherwise in the real folders: what was found is not what the command does. */
  spoiling: string[];
}

/** What a program tried and could not, as far as it can be known: from the counts of its network, and from its own words. */
export function findAttempts(networkCounts: string | null, output: string): Attempts {
  const said = SAID.filter(({ words }) => words.test(output));
  const network = hasTriedNetwork(networkCounts ?? "")
    ? ["It tried to use the network, which a preview does not have."]
    : [];
  return {
    sentences: [...network, ...said.map(({ sentence }) => sentence)],
    spoiling: said.filter(({ spoils }) => spoils).map(({ sentence }) => sentence),
  };
}

function hasTriedNetwork(counts: string): boolean {
  return (
    countOf(counts, "Ip", "OutNoRoutes") + countOf(counts, "Udp", "NoPorts") + countOf(counts, "Tcp", "AttemptFails") >
    0
  );
}

/** The kernel writes two lines for each protocol: the names, and their values. */
function countOf(counts: string, protocol: string, name: string): number {
  const [names, values] = counts.split("\n").filter((line) => line.startsWith(`${protocol}: `));
  const at = names?.split(" ").indexOf(name) ?? -1;
  return at < 0 ? 0 : Number(values?.split(" ")[at] ?? 0);
}
