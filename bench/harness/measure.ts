/** The percentile of the values at this share (0 to 1). */
export function percentile(values: readonly number[], share: number): number {
  if (share < 0 || share > 1) throw new Error(`A share is between 0 and 1, not ${share}.`);
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]) => percentile(values, 0.5);

/** Runs every candidate once per round, in turns, so that other load on the machine affects them alike. */
export async function inTurns<Name extends string>(
  rounds: number,
  candidates: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(candidates) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < rounds; round += 1) {
    // Rotates the order, so that no candidate always follows the same neighbour.
    for (const name of rotate(names, round)) results[name].push(await candidates[name]());
  }
  return results;
}

function rotate<Item>(items: Item[], by: number): Item[] {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}
