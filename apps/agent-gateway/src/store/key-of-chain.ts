/** The key of a single value in `meta` that each gateway's chain has. The first gateway's have the names that they have in SQLite. */
export function keyOfChain(name: string, gateway: number): string {
  return gateway === 0 ? name : `${name}:${gateway}`;
}
