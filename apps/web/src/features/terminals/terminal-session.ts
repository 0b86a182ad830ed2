import type { TerminalId, TerminalInfo } from "@belay/protocol";
import { FitAddon } from "@xterm/addon-fit";
import { SearchAddon } from "@xterm/addon-search";
import { WebglAddon } from "@xterm/addon-webgl";
import { Terminal } from "@xterm/xterm";
import { hardenEmulator } from "./harden-emulator.ts";
import { MARK_EVERY_BYTES, PositionMarks } from "./position-marks.ts";
import { addWebLinks, linkHandler } from "./safe-links.ts";
import { SCREEN_THEME } from "./screen-theme.ts";
import { type ConnectionState, TerminalStream } from "./terminal-stream.ts";

export interface SessionHandlers {
  onTerminal(info: TerminalInfo, canType: boolean): void;
  onConnection(state: ConnectionState): void;
  onExit(exitCode: number | null): void;
}

const FONT_PX = 13;
/** Below this one cannot read; the rest is scrolled to. */
const SMALLEST_FONT_PX = 9;

/** One terminal on the page: the emulator, and the stream that feeds it. */
export class TerminalSession {
  readonly #terminal: Terminal;
  readonly #fit = new FitAddon();
  readonly #search = new SearchAddon();
  readonly #marks: PositionMarks;
  readonly #stream: TerminalStream;
  readonly #observer: ResizeObserver;
  /** Begins once there is a picture in its final size: a canvas that changes its size before its first one stays empty. */
  #webgl: WebglAddon | "planned" | "off" | null = null;
  #hasPicture = false;
  #isHolder = false;
  /** Set while an earlier part is being fetched: its beginning stays in sight, however much follows. */
  #isShowingStart = false;

  /** Waits for the font: a canvas does not resolve CSS variables, and measures a font that is not loaded wrongly. */
  static async open(
    element: HTMLElement,
    options: { id: TerminalId; token: string | null; isForScreenReader: boolean },
    handlers: SessionHandlers,
  ): Promise<TerminalSession> {
    const fontFamily = getComputedStyle(document.documentElement).getPropertyValue("--font-geist-mono") || "monospace";
    await document.fonts.load(`${FONT_PX}px ${fontFamily}`).catch(() => {});
    return new TerminalSession(element, { ...options, fontFamily: `${fontFamily}, monospace` }, handlers);
  }

  private constructor(
    element: HTMLElement,
    options: { id: TerminalId; token: string | null; isForScreenReader: boolean; fontFamily: string },
    handlers: SessionHandlers,
  ) {
    const terminal = new Terminal({
      fontFamily: options.fontFamily,
      fontSize: FONT_PX,
      lineHeight: 1.25,
      scrollback: 10_000,
      cursorBlink: false,
      disableStdin: true,
      minimumContrastRatio: 4.5,
      theme: SCREEN_THEME,
      screenReaderMode: options.isForScreenReader,
      linkHandler,
      allowProposedApi: true,
    });
    this.#terminal = terminal;
    hardenEmulator(terminal);
    this.#marks = new PositionMarks(terminal);
    terminal.loadAddon(this.#fit);
    terminal.loadAddon(this.#search);
    addWebLinks(terminal);
    terminal.open(element);
    this.#stream = this.#connect(options, handlers);
    // Reports that a program asks for count as typing: only who holds the pen answers them.
    terminal.onData((data) => this.#isHolder && this.#stream.type(data));
    terminal.onResize(({ cols, rows }) => this.#isHolder && this.#stream.resize(cols, rows));
    this.#observer = new ResizeObserver(() => this.#adapt());
    this.#observer.observe(element);
  }

  /** The next place with this text, or the one before; says whether there is one. */
  find(text: string, direction: "next" | "previous"): boolean {
    if (text === "") {
      this.#search.clearDecorations();
      this.#terminal.clearSelection();
      return true;
    }
    const options = { caseSensitive: false };
    return direction === "next" ? this.#search.findNext(text, options) : this.#search.findPrevious(text, options);
  }

  /** What is selected, or else everything that can be scrolled to. */
  text(): string {
    const selected = this.#terminal.getSelection();
    if (selected !== "") return selected;
    this.#terminal.selectAll();
    const all = this.#terminal.getSelection();
    this.#terminal.clearSelection();
    return all.trimEnd();
  }

  /** Goes to a byte of the output; what has left the screen is fetched anew. */
  goTo(position: number): void {
    const line = this.#marks.lineOf(position);
    if (line === null) {
      this.#isShowingStart = true;
      this.#stream.moveTo(position);
    } else this.#terminal.scrollToLine(line);
  }

  /** Back to what is shown now. */
  goToEnd(): void {
    this.#isShowingStart = false;
    this.#terminal.scrollToBottom();
  }

  focus(): void {
    this.#terminal.focus();
  }

  close(): void {
    this.#webgl = "off";
    this.#observer.disconnect();
    this.#stream.stop();
    this.#terminal.dispose();
  }

  #connect({ id, token }: { id: TerminalId; token: string | null }, handlers: SessionHandlers): TerminalStream {
    const terminal = this.#terminal;
    return new TerminalStream({
      id,
      token,
      url: `${window.location.protocol === "https:" ? "wss" : "ws"}://${window.location.host}/ws`,
      sink: {
        write: (bytes, position) => this.#write(bytes, position),
        reset: (size) => {
          this.#marks.clear();
          terminal.reset();
          if (size) terminal.resize(size.cols, size.rows);
        },
        gap: (missed) =>
          terminal.write(`\r\n\x1b[7m ${missed.toLocaleString("en")} bytes are missing here \x1b[0m\r\n`),
        terminal: (info, canType) => {
          const wasHolder = this.#isHolder;
          this.#isHolder = canType;
          terminal.options.disableStdin = !canType;
          // A watcher sees the terminal in the size that its holder gave it.
          if (!canType) terminal.resize(info.cols, info.rows);
          if (canType && !wasHolder) terminal.focus();
          this.#adapt();
          handlers.onTerminal(info, canType);
        },
        exited: (exitCode) => handlers.onExit(exitCode),
        connection: (state) => handlers.onConnection(state),
      },
    });
  }

  /** In pieces that are marked, so that one can come back to them. */
  async #write(bytes: Uint8Array, position: number | null): Promise<void> {
    await this.#writeMarked(bytes, position);
    if (this.#hasPicture) return;
    this.#hasPicture = true;
    this.#adapt();
  }

  #writeMarked(bytes: Uint8Array, position: number | null): Promise<void> {
    if (position === null) return new Promise((resolve) => this.#terminal.write(bytes, resolve));
    return new Promise((resolve) => {
      for (let start = 0; start < bytes.byteLength || start === 0; start += MARK_EVERY_BYTES) {
        const isLast = start + MARK_EVERY_BYTES >= bytes.byteLength;
        if (start === 0) this.#marks.note(position);
        this.#terminal.write(bytes.subarray(start, start + MARK_EVERY_BYTES), () => {
          this.#keepStart();
          if (isLast) resolve();
          else this.#marks.note(position + start + MARK_EVERY_BYTES);
        });
      }
    });
  }

  /** Once something has scrolled, the emulator by itself stays where it was scrolled to. */
  #keepStart(): void {
    if (!this.#isShowingStart || this.#terminal.buffer.active.baseY === 0) return;
    this.#isShowingStart = false;
    this.#terminal.scrollToTop();
  }

  /** Who holds the pen gives the terminal the size of the window; whoever watches gets letters that fit theirs. */
  #adapt(): void {
    const terminal = this.#terminal;
    if (this.#isHolder) {
      terminal.options.fontSize = FONT_PX;
      this.#fit.fit();
      this.#planWebgl();
      return;
    }
    const room = this.#fit.proposeDimensions();
    const fontSize = terminal.options.fontSize ?? FONT_PX;
    if (!room?.cols || !room.rows) return;
    const share = Math.min(room.cols / terminal.cols, room.rows / terminal.rows);
    const wanted = Math.min(FONT_PX, Math.floor(fontSize * share * 2) / 2);
    const fitting = Math.max(SMALLEST_FONT_PX, wanted);
    if (fitting !== fontSize) terminal.options.fontSize = fitting;
    // A canvas that is larger than its window comes out empty in some browsers; plain elements do not.
    if (wanted < SMALLEST_FONT_PX) this.#stopWebgl();
    else this.#planWebgl();
  }

  #planWebgl(): void {
    if (this.#webgl !== null || !this.#hasPicture) return;
    this.#webgl = "planned";
    requestAnimationFrame(() => {
      if (this.#webgl !== "planned") return;
      this.#webgl = drawWithWebgl(this.#terminal) ?? "off";
      this.#terminal.refresh(0, this.#terminal.rows - 1);
    });
  }

  #stopWebgl(): void {
    if (this.#webgl instanceof WebglAddon) this.#webgl.dispose();
    this.#webgl = "off";
  }
}

function drawWithWebgl(terminal: Terminal): WebglAddon | null {
  try {
    const webgl = new WebglAddon();
    webgl.onContextLoss(() => webgl.dispose());
    terminal.loadAddon(webgl);
    return webgl;
  } catch {
    return null; // no WebGL here: xterm falls back to the DOM renderer by itself
  }
}
