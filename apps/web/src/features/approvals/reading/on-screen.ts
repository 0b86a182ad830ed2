import type { Stretch } from "./seen-stretches.ts";

const STEP_PX = 4;

/**
 * The stretch of a scrolling box's content that a person can see now; null if none of it.
 *
 * Asks the browser what is on top at points of the box. So it holds for everything that can hide a part: the box
 * itself, a scrolling pane around it, the edge of the window, the answer buttons that stick to it, a dialog.
 */
export function stretchOnScreen(box: HTMLElement, content: HTMLElement): Stretch | null {
  if (document.visibilityState !== "visible") return null;
  const frame = box.getBoundingClientRect();
  const top = Math.max(0, frame.top + box.clientTop);
  const bottom = Math.min(window.innerHeight, frame.top + box.clientTop + box.clientHeight) - 1;
  const columns = [frame.left + 6, frame.left + frame.width / 2, frame.right - 20];
  const isOnTop = (y: number) =>
    columns.every((x) => {
      const hit = document.elementFromPoint(x, y);
      return hit !== null && box.contains(hit);
    });
  let first = top;
  while (first <= bottom && !isOnTop(first)) first += STEP_PX;
  let last = bottom;
  while (last > first && !isOnTop(last)) last -= STEP_PX;
  if (last <= first) return null;
  const contentTop = content.getBoundingClientRect().top;
  const stretch = { from: Math.max(0, first - contentTop), to: last + 1 - contentTop };
  return stretch.to > stretch.from ? stretch : null;
}
