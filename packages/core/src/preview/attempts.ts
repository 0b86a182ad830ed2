/** Error messages of the C library for what a preview forbids. Only the English ones are recognised. */
const KNOWN_MESSAGES: readonly { words: RegExp; sentence: string; spoils?: true }[] = [
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
  /** Attempts that would have succeeded in the real folders, so the preview does not show what the command would do. */
  spoiling: string[];
}

/** What a program tried and could not do, as far as known: from its network counters and its error messages. */
export function findAttempts(networkCounts: string | null, output: string): Attempts {
  const said = KNOWN_MESSAGES.filter(({ words }) => words.test(output));
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
