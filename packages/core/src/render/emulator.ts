import { Unicode11Addon } from "@xterm/addon-unicode11";
import headless, { type Terminal as HeadlessTerminal, type IBuffer } from "@xterm/headless";
import { partialCharacter } from "./unfinished-input.ts";

/** The size of a screen. */
export interface ScreenSize {
  cols: number;
  rows: number;
}

export interface EmulatorOptions extends ScreenSize {
  scrollbackLines: number;
  isFromPipe?: boolean;
}

/** About the length of the longest emoji sequences. */
const MAX_REPEATED_CELL_CHARS = 32;

const MAX_LINKS = 1_000;

/**
 * A headless terminal emulator, made safe to feed with any output.
 *
 * It relies on internals of the pinned emulator (`_core`), because its public
 * API can neither parse synchronously (so a throwing sequence would
 * take the thread down), nor change a parameter before it is used, nor
 * report which lines it dropped. `emulator.test.ts` fails if one goes away.
 */
export class Emulator {
  readonly terminal: HeadlessTerminal;
  readonly #core: EmulatorCore;
  /** The beginning of an incomplete character. */
  #held: Uint8Array = new Uint8Array();

  /** With `isFromPipe` a newline also returns to the first column, which in a terminal the kernel does. */
  constructor({ cols, rows, scrollbackLines, isFromPipe = false }: EmulatorOptions) {
    this.terminal = new headless.Terminal({
      cols,
      rows,
      scrollback: scrollbackLines,
      convertEol: isFromPipe,
      allowProposedApi: true,
      // It would print every malformed sequence to our own console.
      logLevel: "off",
    });
    this.terminal.loadAddon(new Unicode11Addon());
    this.terminal.unicode.activeVersion = "11";
    this.#core = (this.terminal as unknown as { _core: EmulatorCore })._core;
    this.#capCounts();
    this.#mendEraseAbove();
    this.#capLinks();
  }

  write(bytes: Uint8Array | string): void {
    if (typeof bytes === "string") {
      this.#core.writeSync(bytes);
      return;
    }
    // xterm loses a character that is split after a byte 0x80, as in every dash and curly quote.
    const all = this.#held.byteLength > 0 ? Buffer.concat([this.#held, bytes]) : bytes;
    this.#held = Uint8Array.from(partialCharacter(all.subarray(-3)));
    this.#core.writeSync(all.subarray(0, all.byteLength - this.#held.byteLength));
  }

  resize({ cols, rows }: ScreenSize): void {
    this.terminal.resize(cols, rows);
  }

  get normal(): IBuffer {
    return this.terminal.buffer.normal;
  }

  get isAlternate(): boolean {
    return this.terminal.buffer.active.type === "alternate";
  }

  /** Internals that the public API does not expose, for the serialiser. */
  get internals(): EmulatorCore {
    return this.#core;
  }

  /** Called before the program clears what has scrolled away: with `CSI 3 J`, or with a full reset. */
  onErased(listener: () => void): void {
    this.#core.registerCsiHandler({ final: "J" }, (parameters) => {
      if (parameters.params[0] === 3 && !this.isAlternate) listener();
      return false;
    });
    this.terminal.parser.registerEscHandler({ final: "c" }, () => {
      listener();
      return false;
    });
  }

  dispose(): void {
    this.terminal.dispose();
  }

  /**
   * These run a loop as often as their parameter says, up to 2³¹ times. More than a
   * screenful has no visible effect (for `b`, repeat: more than a line, which is
   * more than any program draws with it), so the parameters are clamped.
   */
  #capCounts(): void {
    const { terminal } = this;
    const capFirst = (final: string, prefixes: Partial<CsiIdentifier>, limit: () => number) =>
      this.#core.registerCsiHandler({ ...prefixes, final }, ({ params }) => {
        params[0] = Math.min(params[0] ?? 0, limit());
        return false;
      });

    capFirst("b", {}, () => (this.#isOvergrown() ? 1 : terminal.cols));
    for (const final of ["I", "Z", "@", "P", "X"]) capFirst(final, {}, () => terminal.cols);
    for (const final of ["L", "M", "S", "T"]) capFirst(final, {}, () => terminal.rows);
    for (const final of ["@", "A"]) capFirst(final, { intermediates: " " }, () => terminal.cols);
    for (const final of ["}", "~"]) capFirst(final, { intermediates: "'" }, () => terminal.cols);
  }

  /** A cell may hold any number of combining marks, and repeating it would multiply them. */
  #isOvergrown(): boolean {
    const screen = this.terminal.buffer.active;
    const cell = screen.getLine(screen.baseY + screen.cursorY)?.getCell(Math.max(0, screen.cursorX - 1));
    return (cell?.getChars().length ?? 0) > MAX_REPEATED_CELL_CHARS;
  }

  /** Every link on the screen or above it is checked for every line that scrolls away. */
  #capLinks(): void {
    this.terminal.parser.registerOscHandler(8, (link) => {
      const isOpening = !link.endsWith(";");
      return isOpening && this.#core._oscLinkService._dataByLinkId.size >= MAX_LINKS;
    });
  }

  /** Erasing up to the last cell of the screen throws in the emulator; erasing the whole screen is equivalent. */
  #mendEraseAbove(): void {
    for (const prefix of [{}, { prefix: "?" }]) {
      this.#core.registerCsiHandler({ ...prefix, final: "J" }, ({ params }) => {
        const { cursorX, cursorY } = this.terminal.buffer.active;
        const isLastCell = cursorX >= this.terminal.cols - 1 && cursorY === this.terminal.rows - 1;
        if (params[0] === 1 && isLastCell) params[0] = 2;
        return false;
      });
    }
  }
}

interface CsiIdentifier {
  prefix?: string;
  intermediates?: string;
  final: string;
}

/** Colours and styles, of a cell or of the next output. */
export interface CellStyle {
  /** Colour and flags in one number each. */
  fg: number;
  bg: number;
  isBold(): number;
  isDim(): number;
  isItalic(): number;
  isBlink(): number;
  isInverse(): number;
  isInvisible(): number;
  isStrikethrough(): number;
  isOverline(): number;
  getUnderlineStyle(): number;
  isUnderlineColorRGB(): boolean;
  isUnderlineColorPalette(): boolean;
  getUnderlineColor(): number;
  isFgRGB(): boolean;
  isFgPalette(): boolean;
  getFgColor(): number;
  isBgRGB(): boolean;
  isBgPalette(): boolean;
  isBgDefault(): boolean;
  getBgColor(): number;
  hasExtendedAttrs(): number;
  /** The underline in one number, and the number of a link; 0 means none. */
  extended: { ext: number; urlId: number };
}

type CharacterSet = Record<string, string>;

export interface CoreBuffer {
  /** A ring: once it is full, the oldest line becomes the newest, which `onTrim` reports. */
  lines: { onTrim(listener: (count: number) => void): void };
  x: number;
  y: number;
  ybase: number;
  ydisp: number;
  savedX: number;
  savedY: number;
  savedCurAttrData: CellStyle;
  savedCharset?: CharacterSet;
  scrollTop: number;
  scrollBottom: number;
  tabs: Record<number, boolean | undefined>;
}

export interface EmulatorCore {
  writeSync(data: Uint8Array | string): void;
  /** Unlike the public one it passes the parameters themselves, so that the next handler sees changes. */
  registerCsiHandler(id: CsiIdentifier, handler: (parameters: { params: Int32Array }) => boolean): void;
  buffers: { normal: CoreBuffer; alt: CoreBuffer; active: CoreBuffer };
  coreService: {
    isCursorHidden: boolean;
    decPrivateModes: { cursorStyle?: "block" | "underline" | "bar"; cursorBlink?: boolean };
  };
  coreMouseService: { activeEncoding: string };
  /** A character set maps characters to others; without one nothing is mapped. */
  _charsetService: { charset?: CharacterSet; glevel: number; _charsets: (CharacterSet | undefined)[] };
  _oscLinkService: {
    getLinkData(id: number): { id?: string; uri: string } | undefined;
    _dataByLinkId: { size: number };
  };
  /** `currentState` is 0 between sequences. */
  _inputHandler: { _curAttrData: CellStyle; _parser: { currentState: number } };
}
