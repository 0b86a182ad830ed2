import type { IBuffer } from "@xterm/headless";
import type { CoreBuffer, Emulator, ScreenSize } from "../emulator.ts";
import { sgr } from "./cell-style.ts";
import { linkOf, openLink, serialiseCell, serialiseRows } from "./serialise-rows.ts";

/**
 * The sequences that bring a fresh terminal of the same size into this state,
 * in an order in which they do not interfere:
 *
 * 1. The normal screen with the requested scrollback, and the same for
 *    the alternate one if it is active: rows, scroll region, tab stops, saved cursor.
 * 2. What moves the cursor: the origin mode. Then the cursor itself.
 * 3. What changes how the next character is printed: style, link, character
 *    set, insert mode.
 * 4. Everything else.
 */
export function serialiseScreen(
  emulator: Emulator,
  { scrollbackLines, title }: { scrollbackLines: number; title: string },
): string {
  const { terminal, internals } = emulator;
  const { normal, alternate } = terminal.buffer;
  const { rows } = terminal;
  const top = Math.max(0, normal.baseY - scrollbackLines);
  let text = serialiseRows(emulator, normal, top, normal.baseY + rows) + margins(emulator, internals.buffers.normal);
  if (emulator.isAlternate) {
    // Unlike ?1049h this keeps the saved cursor.
    text += "\x1b[?1047h\x1b[H";
    text += serialiseRows(emulator, alternate, 0, rows) + margins(emulator, internals.buffers.alt);
  }

  const style = internals._inputHandler._curAttrData;
  text += terminal.modes.originMode ? "\x1b[?6h" : "";
  text += cursor(emulator);
  text += sgr(style) + (linkOf(style) === 0 ? "" : openLink(emulator, linkOf(style)));
  text += characterSets(emulator);
  text += modes(emulator);
  return title === "" ? text : `${text}\x1b]2;${printable(title)}\x1b\\`;
}

/** What belongs to one of the two screens besides its cells. Leaves the cursor anywhere. */
function margins(emulator: Emulator, buffer: CoreBuffer): string {
  const { cols, rows } = emulator.terminal;
  let text = "";
  if (hasOwnTabs(buffer, cols)) {
    text += "\x1b[3g";
    for (let column = 0; column < cols; column++) if (buffer.tabs[column]) text += `\x1b[${column + 1}G\x1bH`;
  }
  text += savedCursor(buffer, emulator.terminal);
  if (buffer.scrollTop !== 0 || buffer.scrollBottom !== rows - 1) {
    text += `\x1b[${buffer.scrollTop + 1};${buffer.scrollBottom + 1}r`;
  }
  return text;
}

function savedCursor(buffer: CoreBuffer, { cols, rows }: ScreenSize): string {
  const { savedX, savedY, savedCurAttrData: style, savedCharset } = buffer;
  if (savedX === 0 && savedY === 0 && style.fg === 0 && style.bg === 0 && !savedCharset) return "";
  const row = Math.min(Math.max(0, savedY - buffer.ybase), rows - 1);
  const position = `\x1b[${row + 1};${Math.min(savedX, cols - 1) + 1}H`;
  const isDrawing = savedCharset?.q === "─";
  return `${position}${sgr(style)}${isDrawing ? "\x1b(0" : ""}\x1b7\x1b[m${isDrawing ? "\x1b(B" : ""}`;
}

function hasOwnTabs({ tabs }: CoreBuffer, cols: number): boolean {
  for (let column = 0; column < cols; column++) if (Boolean(tabs[column]) !== (column % 8 === 0)) return true;
  return false;
}

function cursor(emulator: Emulator): string {
  const { terminal, internals } = emulator;
  const { x, y, scrollTop } = internals.buffers.active;
  const row = y - (terminal.modes.originMode ? scrollTop : 0) + 1;
  if (x < terminal.cols) return `\x1b[${row};${x + 1}H`;

  // The cursor is past the last column, about to wrap. Only printing there puts it there.
  const screen: IBuffer = terminal.buffer.active;
  const line = screen.getLine(screen.baseY + y);
  const last = line?.getCell(terminal.cols - 1);
  const isWide = last?.getWidth() === 0;
  const cell = isWide ? line?.getCell(terminal.cols - 2) : last;
  return cell ? `\x1b[${row};${isWide ? terminal.cols - 1 : terminal.cols}H${serialiseCell(emulator, cell)}` : "";
}

/** Line drawing is the only other set that programs still use. */
function characterSets({ internals }: Emulator): string {
  const { charset, glevel, _charsets } = internals._charsetService;
  // Restoring a cursor may activate another set than that of its level.
  const inForce = (level: number) => (level === glevel ? charset : _charsets[level]);
  const designators = ["(", ")", "*", "+"];
  const drawing = designators.filter((_, level) => inForce(level)?.q === "─").map((which) => `\x1b${which}0`);
  return drawing.join("") + (["", "\x0e", "\x1bn", "\x1bo"][glevel] ?? "");
}

function modes({ terminal, internals }: Emulator): string {
  const { modes: set } = terminal;
  const { isCursorHidden, decPrivateModes } = internals.coreService;
  const mouse = { none: "", x10: "\x1b[?9h", vt200: "\x1b[?1000h", drag: "\x1b[?1002h", any: "\x1b[?1003h" };
  const encoding = { SGR: "\x1b[?1006h", SGR_PIXELS: "\x1b[?1016h" }[internals.coreMouseService.activeEncoding];
  return [
    set.insertMode ? "\x1b[4h" : "",
    set.wraparoundMode ? "" : "\x1b[?7l",
    set.reverseWraparoundMode ? "\x1b[?45h" : "",
    terminal.options.convertEol ? "\x1b[20h" : "",
    set.applicationCursorKeysMode ? "\x1b[?1h" : "",
    set.applicationKeypadMode ? "\x1b=" : "",
    set.bracketedPasteMode ? "\x1b[?2004h" : "",
    set.sendFocusMode ? "\x1b[?1004h" : "",
    mouse[set.mouseTrackingMode],
    encoding ?? "",
    isCursorHidden ? "\x1b[?25l" : "",
    cursorShape(decPrivateModes),
  ].join("");
}

function cursorShape({ cursorStyle, cursorBlink }: { cursorStyle?: string; cursorBlink?: boolean }): string {
  const steady = { block: 2, underline: 4, bar: 6 }[cursorStyle ?? ""];
  return steady === undefined ? "" : `\x1b[${cursorBlink ? steady - 1 : steady} q`;
}

function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a control character would end the title early.
  return text.replaceAll(/[\x00-\x1f\x7f-\x9f]/g, "");
}
