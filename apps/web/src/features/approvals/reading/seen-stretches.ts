/** A stretch of a long text, in pixels from its top. */
export interface Stretch {
  from: number;
  to: number;
}

/** Less than half a line, so that no line counts as seen by its edge. */
const TOLERANCE_PX = 6;

/** Remembers which stretches of a text have been on the screen. */
export class SeenStretches {
  #seen: Stretch[] = [];

  add({ from, to }: Stretch): void {
    const [near, far] = split(this.#seen, (each) => each.from <= to + TOLERANCE_PX && each.to >= from - TOLERANCE_PX);
    const merged = {
      from: Math.min(from, ...near.map((each) => each.from)),
      to: Math.max(to, ...near.map((each) => each.to)),
    };
    this.#seen = [...far, merged].sort((one, other) => one.from - other.from);
  }

  /** What has not been seen of a text of this height, in order. */
  gaps(height: number): Stretch[] {
    const gaps: Stretch[] = [];
    let at = 0;
    for (const { from, to } of [...this.#seen, { from: height, to: height }]) {
      if (from - at > TOLERANCE_PX) gaps.push({ from: at, to: Math.min(from, height) });
      at = Math.max(at, to);
    }
    return gaps;
  }

  clear(): void {
    this.#seen = [];
  }
}

function split<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
