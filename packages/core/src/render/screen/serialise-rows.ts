import type { IBuffer, IBufferCell } from "@xterm/headless";
import type { CellStyle, Emulator } from "../emulator.ts";
import { sgr } from "./cell-style.ts";

const PLAIN = "\x1b[0m";
const NO_LINK = "\x1b]8;;\x1b\\";

/**
 * The sequences that draw these rows on an empty screen of the same width,
 * starting at its first cell. The last row is left without a newline, so that
 * as many rows as the screen has fill it exactly.
 */
export function serialiseRows(emulator: Emulator, buffer: IBuffer, fromRow: number, toRow: number): string {
  const pen = new Pen(emulator);
  for (let row = fromRow; row < toRow; row++) {
    pen.drawRow(buffer, row);
    if (row + 1 < toRow) pen.endRow({ isContinued: canWrapNaturally(buffer, row) });
  }
  pen.lift();
  return pen.drawn;
}

/** Draws one cell again, with its style and link. */
export function serialiseCell(emulator: Emulator, cell: IBufferCell): string {
  const pen = new Pen(emulator);
  pen.dress(cell);
  return `${pen.drawn}${cell.getChars() || " "}${PLAIN}${NO_LINK}`;
}

/** The number of its link; 0 means none. A cell without extended attributes may still hold another cell's number. */
export function linkOf(style: CellStyle): number {
  return style.hasExtendedAttrs() ? style.extended.urlId : 0;
}

/** Starts a link for the next output. */
export function openLink(emulator: Emulator, urlId: number): string {
  const link = urlId === 0 ? undefined : emulator.internals._oscLinkService.getLinkData(urlId);
  return link ? `\x1b]8;${link.id === undefined ? "" : `id=${link.id}`};${link.uri}\x1b\\` : NO_LINK;
}

/** Writes cells, and changes style and link only where they differ. */
class Pen {
  drawn = "";
  readonly #emulator: Emulator;
  #fg = 0;
  #bg = 0;
  #ext = 0;
  #urlId = 0;

  constructor(emulator: Emulator) {
    this.#emulator = emulator;
  }

  drawRow(buffer: IBuffer, row: number): void {
    const line = buffer.getLine(row);
    if (!line) return;
    const cell = buffer.getNullCell();
    let emptyCells = 0;
    for (let column = 0; column < this.#emulator.terminal.cols; column++) {
      if (!line.getCell(column, cell)) break;
      // The right half of a wide character is drawn with its left half.
      if (cell.getWidth() === 0) continue;
      const chars = cell.getChars();
      const isColoured = !cell.isBgDefault();
      if (chars === "" && !isColoured) {
        emptyCells++;
        continue;
      }
      if (emptyCells > 0) this.drawn += `\x1b[${emptyCells}C`;
      emptyCells = 0;
      this.dress(cell);
      // An empty cell with a background is erased with it, and skipped.
      this.drawn += chars === "" ? "\x1b[X\x1b[C" : chars;
    }
  }

  endRow({ isContinued }: { isContinued: boolean }): void {
    if (isContinued) return;
    // A background would colour the line that scrolls in.
    this.lift();
    this.drawn += "\r\n";
  }

  dress(cell: IBufferCell): void {
    const style = cell as unknown as CellStyle;
    const { fg, bg } = style;
    const ext = style.hasExtendedAttrs() ? style.extended.ext : 0;
    const urlId = linkOf(style);
    // Three numbers hold the whole style; comparing them makes a long scrollback fast.
    if (fg === this.#fg && bg === this.#bg && ext === this.#ext && urlId === this.#urlId) return;
    this.drawn += sgr(style);
    if (urlId !== this.#urlId) this.drawn += openLink(this.#emulator, urlId);
    this.#fg = fg;
    this.#bg = bg;
    this.#ext = ext;
    this.#urlId = urlId;
  }

  lift(): void {
    if (this.#fg !== 0 || this.#bg !== 0 || this.#ext !== 0) this.drawn += PLAIN;
    if (this.#urlId !== 0) this.drawn += NO_LINK;
    this.#fg = 0;
    this.#bg = 0;
    this.#ext = 0;
    this.#urlId = 0;
  }
}

/** Whether printing the next row's first character would wrap into it, which marks the two as one line. */
function canWrapNaturally(buffer: IBuffer, row: number): boolean {
  const next = buffer.getLine(row + 1);
  const first = next?.getCell(0);
  const line = buffer.getLine(row);
  if (!next?.isWrapped || !first?.getChars() || !first.isBgDefault() || !line) return false;
  const last = line.getCell(line.length - 1);
  if (last?.getChars() || last?.getWidth() === 0) return true;
  // A wide character that did not fit leaves one cell free.
  const beforeLast = line.getCell(line.length - 2);
  return (
    first.getWidth() === 2 && last?.isBgDefault() === true && Boolean(beforeLast?.getChars() || !beforeLast?.getWidth())
  );
}
